// How far people agree, in words that need no manual.

import { el } from "/static/js/dom.js";
import { called, percent, table } from "../parts.js";

const TYPES = {
  span: "Words from a text",
  value: "A number",
  binary: "Yes or no",
  none: "The texts do not say",
  bad: "The question is bad",
};
const MEASURES = {
  exact: "the same",
  agreement: "two people say the same",
  single_hop: "one paragraph would have been enough",
  alike: "answers of two people alike, by the dataset's scorer",
  alpha: "beyond chance (Krippendorff's alpha, at most 1)",
};
const ALPHA = "Beyond chance is Krippendorff's alpha: 1 where all agree, 0 where chance would do as well.";
const beyond = (alpha) => (alpha === null || alpha === undefined ? "–" : alpha.toFixed(2).replace("-", "−"));

// Answers, of all types and of each.
function answers(caption, found) {
  const row = (name, { questions, exact, f1, alpha }) => [
    name, String(questions), percent(exact), percent(f1), beyond(alpha),
  ];
  const rows = [row("All answers", found)];
  for (const [type, own] of Object.entries(found.types)) {
    if (own.questions) rows.push(row(TYPES[type] ?? type, own));
  }
  return [
    table(caption, ["Most say", "Questions", "The same", "Words shared (F1)", "Beyond chance"], rows),
    el("p", { class: "hint" }, `Which type of answer it is: ${beyond(found.alpha_of_types)} beyond chance. ${ALPHA}`),
  ];
}

// Any other number between 0 and 1, with the names that lead to it.
function shares(caption, found) {
  const rows = Object.entries(found)
    .filter(([name, value]) => typeof value === "number" && name !== "reviewed")
    .map(([name, value]) => [
      MEASURES[name] ?? name.replaceAll("_", " "),
      name === "alpha" ? beyond(value) : percent(value),
    ]);
  for (const [group, rate] of Object.entries(found.rates ?? {})) {
    rows.push([`pairs of “${group}” that can be asked about`, percent(rate)]);
  }
  return rows.length ? [table(caption, ["What", "How often"], rows)] : [];
}

export function agreement(found, now) {
  const parts = Object.entries(found).flatMap(([task, own]) => {
    const caption = called(now, task);
    const shown = own.types ? (own.questions ? answers(caption, own) : []) : shares(caption, own);
    return shown.length ? [el("h3", {}, caption), ...shown] : [];
  });
  const nothing = el("p", { class: "hint" }, "Nothing yet: it takes two people who did the same.");
  return el("section", { class: "card" }, el("h2", {}, "Agreement"), ...(parts.length ? parts : [nothing]));
}
