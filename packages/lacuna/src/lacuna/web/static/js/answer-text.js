// The words of an answer with its sources: a list where there are several, and how a number was
// calculated.

import { citations, sourcesOf, sourcesOfPlace } from "./citations.js";
import { el } from "./dom.js";

export function answerText(answered) {
  const { answer } = answered;
  return [
    answer.kind === "spans"
      ? el("ul", { class: "answer-text" }, answer.texts.map((text, place) => item(answered, text, answer.found_at[place])))
      : el("p", { class: "answer-text", dir: "auto" }, inOneLine(answer), citations(answered, sourcesOf(answered))),
    answer.expression
      ? el("p", { class: "expression" }, el("span", { class: "unseen" }, "Calculated as "), `= ${answer.expression}`)
      : null,
  ];
}

const item = (answered, text, place) =>
  el("li", { dir: "auto" }, text, citations(answered, sourcesOfPlace(answered, place)));

export function inOneLine({ kind, text }) {
  return kind === "yes" || kind === "no" ? text[0].toUpperCase() + text.slice(1) : text;
}
