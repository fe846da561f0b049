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
  model: ["Model", [[null, "As the server was started"]], "What reads the documents."],
  min_confidence: ["How sure an answer is to be", SURE, "One that is less sure is still shown, under the word “Probably”."],
  alternatives: ["Other answers to show, at most", OTHERS, "They stand folded under the answer, with their sources."],
  windows: ["Windows to look into at a time", WINDOWS, "A window is a part of a document. More of them find what is hidden, and take longer."],
  hops: ["Times to go on along links", HOPS, "How often the search may go on from what it found to what that links to. More of them take longer."],
};
const DEFAULT = { model: null, min_confidence: null, alternatives: 5, windows: null, hops: null };

let findsMore = false;
let usualModel = "";

// models: of the server, the usual one first; finds_language_models: it looks for more on this machine.
export function learnModels({ models: [first, ...others], finds_language_models: finds }) {
  findsMore = finds;
  usualModel = first ?? "";
  if (first) FIELDS.model[1] = [[null, `As is usual (${first})`], ...others.map((name) => [name, name])];
}

// It takes long for an answer, so none is asked for that nobody wants.
export const asksLanguageModel = () => (settings().model ?? usualModel).startsWith("llm:");

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
  const root = el("div", { class: "settings" }, Object.entries(FIELDS).map(([name, of]) => field(name, ...of)));
  if (findsMore) root.firstChild.after(moreModels(root));
  return root;
}

// What it takes is loaded, and looked for, when it is opened.
function moreModels(root) {
  const found = el("div", { "aria-live": "polite" });
  const taken = (name) => {
    const values = FIELDS.model[1];
    if (!values.some(([value]) => value === name)) values.push([name, name]);
    keep("model", name);
    root.firstChild.replaceWith(field("model", ...FIELDS.model));
  };
  const ontoggle = async ({ target }) => {
    if (!target.open) return;
    found.replaceChildren(el("p", {}, "Looking for one on this machine …"));
    try {
      const { languageModels } = await import("./language-models.js");
      found.replaceChildren(await languageModels(taken));
    } catch (problem) {
      found.replaceChildren(el("p", { class: "problem", role: "alert" }, problem.message));
    }
  };
  return el(
    "details",
    { ontoggle },
    el("summary", {}, "Use a language model of this machine"),
    el("p", {}, "It reads in the place of the built-in model, and gets the passages that were found. The built-in one writes no summaries, and reads English only."),
    found,
  );
}

const keep = (name, value) => localStorage.setItem(KEY, JSON.stringify({ ...settings(), [name]: value }));

function field(name, label, values, meaning) {
  const id = `setting-${name}`;
  const chosen = settings()[name];
  const options = values.map(([value, text], place) =>
    el("option", { value: place, selected: value === chosen }, text),
  );
  const onchange = ({ target }) => keep(name, values[target.value][0]);
  return el(
    "div",
    {},
    el("label", { for: id }, label),
    el("select", { id, "aria-describedby": `${id}-meaning`, onchange }, options),
    el("p", { id: `${id}-meaning` }, meaning),
  );
}
