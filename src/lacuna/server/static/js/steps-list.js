// The steps of a search, with what each considered.

import { el } from "./dom.js";
import { placeOf } from "./marked-text.js";

const NAMES = { start: "Start", spot: "Spot", find: "Find", read: "Read", answer: "Answer" };
const SHOWN = 12;

export const time = (milliseconds) =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export function stepLine(step) {
  const line = [
    el("span", { class: "stage" }, NAMES[step.stage] ?? step.stage),
    el("span", { class: "told" }, step.message),
    el("span", { class: "time" }, time(step.milliseconds)),
  ];
  if (!step.candidates.length) return el("li", {}, el("div", { class: "step" }, el("div", { class: "line" }, line)));
  return el("li", {}, el("details", { class: "step" }, el("summary", {}, line), candidates(step)));
}

function candidates(step) {
  const shown = step.candidates.slice(0, SHOWN);
  const more = step.candidates.length - shown.length;
  const rows = shown.map((one) =>
    el(
      "tr",
      { class: one.chosen ? "chosen" : null },
      el("td", {}, one.chosen ? "✓ " : "", one.title ? placeOf(one.title, one.section) : one.text,
        one.dangling ? " (leads nowhere)" : "",
        one.chosen ? el("span", { class: "unseen" }, " chosen") : ""),
      el("td", {}, one.title && one.text ? el("span", { class: "excerpt" }, one.text) : ""),
      el("td", {}, one.score === null ? "–" : one.score.toFixed(2)),
    ),
  );
  const names = ["Considered", "Text", "Score"].map((name) => el("th", { scope: "col" }, name));
  return el(
    "div",
    { class: "candidates", tabindex: "0", role: "region", "aria-label": `What the step “${step.message}” considered` },
    el("table", {}, el("thead", {}, el("tr", {}, names)), el("tbody", {}, rows)),
    more > 0 ? el("p", {}, `and ${more} more`) : null,
  );
}

export function stepsFolded(answered) {
  const count = answered.steps.length;
  return el(
    "details",
    { class: "steps" },
    el("summary", {}, `How it was found: ${count} ${count === 1 ? "step" : "steps"}, ${time(answered.milliseconds)}`),
    el("ol", { class: "step-list" }, answered.steps.map(stepLine)),
  );
}
