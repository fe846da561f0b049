// What both forms are made of: rooms for messages, groups of choices, lists of marked places.

import { el } from "/static/js/dom.js";

const STYLE = "/collect/static/css/iirc.css";

export function useStyle() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href: STYLE }));
}

export const idOf = (field) => `iirc-${field.replaceAll(".", "-")}`;
export const problemId = (field) => `${idOf(field)}-problem`;

// Which question a field belongs to, for a list of all that is wrong.
export function placeOf(field) {
  const number = /^\w+\.(\d+)/.exec(field)?.[1];
  return number === undefined ? "" : `Question ${Number(number) + 1}`;
}

// Room for the message about a field.
export function room(field) {
  return el("p", { class: "problem room", id: problemId(field), "data-field": field });
}

// Puts messages into their rooms; one about a part of a field goes to the nearest room around it.
export function markProblems(root, problems) {
  const rooms = new Map([...root.querySelectorAll("[data-field]")].map((node) => [node.dataset.field, node]));
  for (const node of rooms.values()) {
    node.textContent = "";
    fieldOf(root, node)?.removeAttribute("aria-invalid");
  }
  for (const { field, message } of problems) {
    const parts = field.split(".");
    while (parts.length > 1 && !rooms.has(parts.join("."))) parts.pop();
    const node = rooms.get(parts.join("."));
    if (!node) continue;
    node.textContent = [node.textContent, message].filter(Boolean).join(" ");
    fieldOf(root, node)?.setAttribute("aria-invalid", "true");
    const folded = node.closest("details");
    if (folded) folded.open = true;
  }
}

function fieldOf(root, node) {
  return root.querySelector(`:is(input, textarea, select)[aria-describedby~="${node.id}"]`);
}

// A group of radio buttons or checkboxes; choices: [{value, label}].
export function choiceGroup({ field, legend, type, choices, chosen, change }) {
  const inputs = choices.map(({ value, label }, index) => {
    const id = `${idOf(field)}-${index}`;
    const input = el("input", { type, id, name: idOf(field), value, onchange: () => change(values()) });
    input.checked = chosen.includes(value);
    return { input, row: el("div", { class: "choice" }, input, el("label", { for: id }, label)) };
  });
  const values = () => inputs.filter(({ input }) => input.checked).map(({ input }) => input.value);
  return el(
    "fieldset",
    { class: "choices", "aria-describedby": problemId(field) },
    el("legend", {}, legend),
    ...inputs.map(({ row }) => row),
    room(field),
  );
}

// A labelled line or box of text.
export function textField({ field, label, value, change, long = false, ...more }) {
  const input = el(long ? "textarea" : "input", {
    id: idOf(field),
    type: long ? null : "text",
    rows: long ? "2" : null,
    "aria-describedby": problemId(field),
    oninput: () => change(input.value),
    ...more,
  });
  input.value = value;
  return el("div", { class: "field" }, el("label", { for: idOf(field) }, label), input, room(field));
}

// The places that are marked so far, each with a way to take it back; places: [{text, from}].
export function placeList(label, places, remove) {
  if (!places.length) return el("p", { class: "hint" }, `${label}: nothing marked yet.`);
  return el(
    "div",
    { class: "places" },
    el("p", {}, `${label}:`),
    el(
      "ul",
      {},
      ...places.map(({ text, from }, index) =>
        el(
          "li",
          {},
          el("q", {}, text),
          from ? el("span", { class: "from" }, ` ${from} `) : " ",
          el(
            "button",
            { type: "button", class: "plain", "aria-label": `Remove ${text}`, onclick: () => remove(index) },
            "Remove",
          ),
        ),
      ),
    ),
  );
}
