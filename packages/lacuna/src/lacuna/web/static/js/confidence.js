// How sure an answer is, as a bar and in words.

import { el } from "./dom.js";

const WORDS = [
  [0.9, "Very confident"],
  [0.7, "Confident"],
  [0.5, "Fairly confident"],
  [0, "Unsure"],
];

export const percent = (sure) => `${Math.round(100 * sure)} %`;
const wordFor = (sure) => WORDS.find(([least]) => sure >= least)[1];

// Of an answer with a confidence; words of our own stand only for what was measured.
export const inWords = ({ confidence: sure, measured }) =>
  measured === false ? `${percent(sure)}, says the model` : `${wordFor(sure)}, ${percent(sure)}`;

export function confidence(answered) {
  return answered.confidence === null ? null : bar(answered.confidence, inWords(answered));
}

const given = (of) =>
  `Of 100 answers that are as sure as this one, about ${of} are right: this was measured on questions whose answers are known.`;
const none = (of) =>
  `It is about ${of} % likely that the documents do not answer this: this was measured on questions whose answers are known.`;

const OWN_WORD = "This is what the model says of itself. How often it is right with it was not measured.";

// What that means, folded.
export function meaning({ confidence: sure, degree, measured }) {
  if (sure === null) return null;
  const of = Math.round(100 * sure);
  const says = degree === "none" ? none(of) : given(of);
  return el(
    "details",
    { class: "meaning" },
    el("summary", {}, "What this means"),
    el("p", {}, measured === false ? OWN_WORD : says, " The quotes below are what it rests on; the last word is yours."),
  );
}

// The number alone, where several stand below each other.
export const likelihood = (sure) => bar(sure, percent(sure), el("span", { class: "unseen" }, " confident"));

function bar(sure, ...words) {
  return el("span", { class: "sure" }, el("meter", { min: 0, max: 1, value: sure, "aria-hidden": "true" }), words);
}
