// What was said so far, as a list.

import { el } from "/static/js/dom.js";
import { actsOf, wordsOf } from "./span-answer.js";

export function questionLine(text, who) {
  return el("li", { class: "student" }, el("p", { class: "who" }, who), el("p", { dir: "auto" }, text));
}

export function answerLine(answer, who) {
  const acts = actsOf(answer);
  return el(
    "li",
    { class: "teacher" },
    el("p", { class: "who" }, who),
    el("p", { dir: "auto" }, wordsOf(answer)),
    acts ? el("p", { class: "acts" }, acts) : null,
  );
}
