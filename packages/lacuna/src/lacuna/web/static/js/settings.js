// How questions are asked: kept in this browser, sent with every question.

import { el } from "./dom.js";

const KEY = "settings";
const SURE = [
  [null, "As the server was started"],
  [0.5, "50 %: as likely right as wrong"],
  [0.7, "70 %"],
  [0.8, "80 %"],
  [0.9, "90 %"],
  [0.95, "95 %: only what is nearly certain"],
];
const OTHERS = [0, 1, 2, 3, 4, 5].map((count) => [count, String(count)]);
const usual = (most) => [null, `As is usual (${most})`];
const WINDOWS = [usual(6), ...[3, 6, 12, 24].map((count) => [count, String(count)])];
const HOPS = [usual(2), [0, "0: only what a search finds"], ...[1, 2, 3, 4].map((count) => [count, String(count)])];
const FIELDS = {
  model: ["Model", [[null, "As the server was started"]], "What reads the documents. There are those that the server was started with."],
  min_confidence: ["How sure an answer is to be", SURE, "One that is less sure is still shown, under the word “Probably”."],
  alternatives: ["Other answers to show, at most", OTHERS, "They stand folded under the answer, with their sources."],
  windows: ["Windows to look into at a time", WINDOWS, "A window is a part of a document. More of them find what is hidden, and take longer."],
  hops: ["Times to go on along links", HOPS, "How often the search may go on from what it found to what that links to. More of them take longer."],
};
const DEFAULT = { model: null, min_confidence: null, alternatives: 5, windows: null, hops: null };

// models: of the server, the usual one first.
export function learnModels([first, ...others]) {
  if (first) FIELDS.model[1] = [[null, `As is usual (${first})`], ...others.map((name) => [name, name])];
}

export function settings() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // as if there were none
  }
  const known = ([name, [, values]]) => [name, values.some(([value]) => value === kept[name]) ? kept[name] : DEFAULT[name]];
  return Object.fromEntries(Object.entries(FIELDS).map(known));
}

export function settingsFields() {
  return el("div", { class: "settings" }, Object.entries(FIELDS).map(([name, of]) => field(name, ...of)));
}

function field(name, label, values, meaning) {
  const id = `setting-${name}`;
  const chosen = settings()[name];
  const options = values.map(([value, text], place) =>
    el("option", { value: place, selected: value === chosen }, text),
  );
  const onchange = ({ target }) =>
    localStorage.setItem(KEY, JSON.stringify({ ...settings(), [name]: values[target.value][0] }));
  return el(
    "div",
    {},
    el("label", { for: id }, label),
    el("select", { id, "aria-describedby": `${id}-meaning`, onchange }, options),
    el("p", { id: `${id}-meaning` }, meaning),
  );
}
