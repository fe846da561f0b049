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
    el("span", { class: "message" }, step.message),
    el("span", { class: "time" }, time(step.milliseconds)),
  ];
  if (!step.candidates.length) return el("li", {}, el("div", { class: "step" }, el("div", { class: "line" }, line)));
  return el("li", {}, el("details", { class: "step" }, el("summary", {}, line), candidates(step)));
}

const hasText = ({ title, text }) => Boolean(title && text);

function candidates(step) {
  const shown = step.candidates.slice(0, SHOWN);
  const more = step.candidates.length - shown.length;
  const withText = shown.some(hasText);
  const rows = shown.map((candidate) =>
    el(
      "tr",
      { class: candidate.chosen ? "chosen" : null },
      el("td", {}, candidate.chosen ? "✓ " : "", candidate.title ? placeOf(candidate.title, candidate.section) : candidate.text,
        candidate.dangling ? " (leads nowhere)" : "",
        candidate.chosen ? el("span", { class: "unseen" }, " chosen") : ""),
      withText ? el("td", {}, hasText(candidate) ? el("span", { class: "excerpt" }, candidate.text) : "") : null,
    ),
  );
  const names = ["Considered, the best first", ...(withText ? ["Text"] : [])].map((name) => el("th", { scope: "col" }, name));
  return el(
    "div",
    { class: "candidates", tabindex: "0", role: "group", "aria-label": `What the step “${step.message}” considered` },
    el("table", {}, el("thead", {}, el("tr", {}, names)), el("tbody", {}, rows)),
    more > 0 ? el("p", {}, `and ${more} more`) : null,
  );
}

export function stepsFolded(answered) {
  const count = answered.steps.length;
  if (!count) return null;
  return el(
    "details",
    { class: "steps" },
    el("summary", {}, `How it was found: ${count} ${count === 1 ? "step" : "steps"}, ${time(answered.milliseconds)}`),
    el("ol", { class: "step-list" }, answered.steps.map(stepLine)),
  );
}
