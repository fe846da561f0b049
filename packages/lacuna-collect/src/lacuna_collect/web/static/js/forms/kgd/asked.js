// What both rounds show: a question with its choices.

import { el } from "/static/js/dom.js";

const SHEET = "/collect/static/css/kgd.css";

export function useStyle() {
  if (document.querySelector(`link[href="${SHEET}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href: SHEET }));
}

// right: the label of the right choice, where it may be known.
export function asked(item, right = null) {
  const choices = item.choices.map(({ label, text }) =>
    el(
      "li",
      { class: label === right ? "right" : null },
      el("b", {}, `${label} `),
      el("span", { dir: "auto" }, text),
      label === right ? el("span", { class: "told" }, " (the right answer)") : null,
    ),
  );
  return el(
    "section",
    { class: "kgd-question card" },
    el("h2", { dir: "auto" }, item.question),
    el("ul", { class: "choices-given" }, ...choices),
  );
}
