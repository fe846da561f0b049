// The words of an answer: a list where there are several, and how a number was calculated.

import { el } from "./dom.js";

export function answerText(answer) {
  return [
    answer.kind === "spans"
      ? el("ul", { class: "answer-text" }, answer.texts.map((text) => el("li", { dir: "auto" }, text)))
      : el("p", { class: "answer-text", dir: "auto" }, inOneLine(answer)),
    answer.expression
      ? el("p", { class: "expression" }, el("span", { class: "unseen" }, "Calculated as "), `= ${answer.expression}`)
      : null,
  ];
}

export function inOneLine({ kind, text }) {
  return kind === "yes" || kind === "no" ? text[0].toUpperCase() + text.slice(1) : text;
}
