// Two paragraphs with their sentences numbered, for all of HotpotQA's forms.

import { el } from "/static/js/dom.js";
import { pieces, Points } from "/static/js/pieces.js";

const SHEET = "/collect/static/css/hotpotqa.css";

export function withStyle() {
  if (document.querySelector(`link[href="${SHEET}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href: SHEET }));
}

// anchors: where the sentence links to the bridge.
function marked(text, anchors) {
  const points = new Points(text);
  return pieces(points, 0, points.length, anchors).map((piece) =>
    piece.in.length ? el("mark", {}, piece.text) : piece.text,
  );
}

// before: what stands ahead of a sentence, made from its paragraph and its number; both from 0.
export function paragraphs(item, before = number, level = "h2") {
  const articles = item.paragraphs.map(({ title, sentences }, place) => {
    const rows = sentences.map((sentence, at) => {
      const here = place === 0 ? (item.anchors ?? []).filter((one) => one.sentence === at) : [];
      const text = el("span", { class: "sentence", dir: "auto" }, ...marked(sentence, here));
      return el("li", {}, before(place, at), text);
    });
    const heading = el(level, { dir: "auto" }, title);
    return el("article", { class: "paragraph" }, heading, el("ol", {}, ...rows));
  });
  return el("div", { class: "two-paragraphs" }, ...articles);
}

function number(_, at) {
  return el("span", { class: "sentence-number", "aria-hidden": "true" }, String(at + 1));
}

// One of a few values, by radio buttons; told is called with the value that was chosen.
export function choice(legend, name, options, value, told) {
  const labels = options.map(([of, text]) => {
    const radio = el("input", { type: "radio", name, onchange: () => told(of) });
    radio.checked = of === value;
    return el("label", { class: "radio" }, radio, text);
  });
  const note = problemNote(`${name}-problem`);
  const field = el(
    "fieldset",
    { class: "choice", "aria-describedby": note.id },
    el("legend", {}, legend),
    el("div", { class: "radios" }, ...labels),
    note,
  );
  return { field, mark: (message) => setProblem(field, note, message) };
}

export function problemNote(id) {
  return el("p", { class: "problem field-problem", id, hidden: true });
}

export function setProblem(control, note, message) {
  note.textContent = message ?? "";
  note.hidden = !message;
  if (control.tagName === "FIELDSET") control.classList.toggle("invalid", Boolean(message));
  else if (message) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

// What the server says of each field, as one message.
export function byField(problems) {
  const messages = new Map();
  for (const { field, message } of problems ?? []) {
    messages.set(field, messages.has(field) ? `${messages.get(field)} ${message}` : message);
  }
  return messages;
}
