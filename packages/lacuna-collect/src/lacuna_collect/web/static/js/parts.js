// Small parts that several pages are made of.

import { el } from "/static/js/dom.js";

export const go = (address) => location.assign(address);
export const money = (cents) => `$${(cents / 100).toFixed(2)}`;
export const percent = (share) => (share === null || share === undefined ? "–" : `${Math.round(share * 100)}\u00a0%`);
export const when = (time) => new Date(time).toLocaleString();

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
  return `${Math.round(minutes / 60 / 24)} days`;
}

// What a task is called; one of an older project may be gone.
export const called = (now, task) => now.titles[task] ?? task;

// Puts parts on the page; those that are null are left out.
export function fill(root, ...parts) {
  root.replaceChildren(...parts.flat().filter((part) => part !== null && part !== undefined));
}

export function title(text, ...below) {
  document.title = `${text} – Lacuna`;
  return el("header", { class: "page-title" }, el("h1", {}, text), ...below);
}

export const note = (text, kind = "") => el("p", { class: `note ${kind}`, role: "status" }, text);

export function failed(main, error) {
  main.replaceChildren(
    title("This did not work"),
    el("p", { class: "problem", role: "alert" }, error.message),
    el("p", {}, el("a", { href: "/collect/" }, "To the list of tasks")),
  );
}

// A field with its label, its hint, and room for what is wrong with it.
export function field(name, label, { type = "text", hint = null, ...more } = {}) {
  const tag = type === "textarea" ? "textarea" : "input";
  const wrong = el("p", { class: "problem", id: `${name}-problem` });
  const input = el(tag, {
    id: name,
    name,
    type: tag === "input" ? type : null,
    "aria-describedby": hint ? `${name}-hint ${name}-problem` : `${name}-problem`,
    ...more,
  });
  const told = hint ? el("p", { class: "hint", id: `${name}-hint` }, hint) : null;
  const box = el("div", { class: "field" }, el("label", { for: name }, label), input, told, wrong);
  return { box, input, wrong };
}

export function table(caption, heads, rows, { empty = "Nothing yet." } = {}) {
  if (!rows.length) return el("p", { class: "hint" }, empty);
  const cell = (value, at) => el(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : {}, value);
  return el(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      {},
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, ...heads.map((head) => (head ? el("th", { scope: "col" }, head) : el("td", {}))))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell)))),
    ),
  );
}

// Asks for a line or two in a dialog; gives what was typed, or null. Choices are texts to take.
export function ask(heading, label, { action = "Send", hint = null, required = true, choices = [] } = {}) {
  const dialog = document.getElementById("question");
  const typed = field("question-text", label, { type: "textarea", rows: "4", hint, required, maxlength: "4000" });
  const take = (text) =>
    el("button", { class: "quiet", type: "button", onclick: () => {
      typed.input.value = text;
      typed.input.focus();
    } }, text);
  return new Promise((resolve) => {
    const end = (value) => {
      dialog.close();
      resolve(value);
    };
    dialog.replaceChildren(
      el(
        "form",
        {
          method: "dialog",
          onsubmit: (event) => {
            event.preventDefault();
            end(typed.input.value.trim());
          },
        },
        el("h2", { id: "question-title" }, heading),
        choices.length ? el("p", { class: "buttons choices" }, ...choices.map(take)) : null,
        typed.box,
        el(
          "p",
          { class: "buttons" },
          el("button", { class: "primary", type: "submit" }, action),
          el("button", { class: "quiet", type: "button", onclick: () => end(null) }, "Cancel"),
        ),
      ),
    );
    dialog.oncancel = () => resolve(null);
    dialog.showModal();
    typed.input.focus();
  });
}

// Asks whether something is really meant.
export function sure(heading, text, action) {
  const dialog = document.getElementById("question");
  return new Promise((resolve) => {
    const end = (value) => {
      dialog.close();
      resolve(value);
    };
    const answer = (kind, value, label) => el("button", { class: kind, type: "button", onclick: () => end(value) }, label);
    dialog.replaceChildren(
      el(
        "form",
        { method: "dialog" },
        el("h2", { id: "question-title" }, heading),
        el("p", {}, text),
        el("p", { class: "buttons" }, answer("primary", true, action), answer("quiet", false, "Cancel")),
      ),
    );
    dialog.oncancel = () => resolve(false);
    dialog.showModal();
  });
}

// A button whose work takes a while, and can be refused.
export function button(text, act, { kind = "quiet", told = null } = {}) {
  const made = el("button", { type: "button", class: kind }, text);
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await act();
    } catch (error) {
      if (told) told(error);
      else made.after(note(error.message, "problem"));
    } finally {
      made.disabled = false;
    }
  });
  return made;
}
