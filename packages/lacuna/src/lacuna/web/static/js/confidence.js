// How sure an answer is, as a bar and in words.

import { el } from "./dom.js";

const WORDS = [
  [0.9, "Very confident"],
  [0.7, "Confident"],
  [0.5, "Fairly confident"],
  [0, "Unsure"],
];

export const percent = (sure) => `${Math.round(100 * sure)} %`;
export const inWords = (sure) => WORDS.find(([least]) => sure >= least)[1];

export function confidence(sure) {
  return sure === null ? null : bar(sure, `${inWords(sure)}, ${percent(sure)}`);
}

const given = (of) =>
  `Of 100 answers that are as sure as this one, about ${of} are right: this was measured on questions whose answers are known.`;
const none = (of) =>
  `It is about ${of} % likely that the documents do not answer this: this was measured on questions whose answers are known.`;

// What that means, folded.
export function meaning({ confidence: sure, degree }) {
  if (sure === null) return null;
  const of = Math.round(100 * sure);
  return el(
    "details",
    { class: "meaning" },
    el("summary", {}, "What this means"),
    el("p", {}, degree === "none" ? none(of) : given(of), " The quotes below are what it rests on; the last word is yours."),
  );
}

// The number alone, where several stand below each other.
export const likelihood = (sure) => bar(sure, percent(sure), el("span", { class: "unseen" }, " confident"));

function bar(sure, ...words) {
  return el("span", { class: "sure" }, el("meter", { min: 0, max: 1, value: sure, "aria-hidden": "true" }), words);
}
