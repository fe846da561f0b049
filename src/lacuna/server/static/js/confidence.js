// How sure an answer is, as a bar and in words.

import { el } from "./dom.js";

const WORDS = [
  [0.9, "Very confident"],
  [0.7, "Confident"],
  [0.5, "Fairly confident"],
  [0, "Unsure"],
];

export const percent = (sure) => `${Math.round(100 * sure)} %`;
const inWords = (sure) => WORDS.find(([least]) => sure >= least)[1];

export function confidence(sure) {
  return sure === null ? null : bar(sure, `${inWords(sure)}, ${percent(sure)}`);
}

// The number alone, where several stand below each other.
export const likelihood = (sure) => bar(sure, percent(sure), el("span", { class: "unseen" }, " confident"));

function bar(sure, ...words) {
  return el("span", { class: "sure" }, el("meter", { min: 0, max: 1, value: sure, "aria-hidden": "true" }), words);
}
