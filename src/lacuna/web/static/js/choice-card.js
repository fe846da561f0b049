// The card of a question with choices: the choice, its gap, and what fills it.

import { copyText } from "./clipboard.js";
import { confidence } from "./confidence.js";
import { announce, el } from "./dom.js";
import { direction, heatMap, isInverse } from "./heat-map.js";
import { markedText } from "./marked-text.js";
import { time } from "./steps-list.js";

const RESTS_ON = 3; // lines that are shown at once: those that say it most clearly
const KINDS = { sentence: "Sentence", triple: "Triple" };

let count = 0;

// about: {shown: a label, onShow(label), onAgain(), linkOf(label)}
export function choiceCard(chosen, { shown, onShow, onAgain, linkOf }) {
  const { answer, choices, fact, key_span: span } = chosen;
  let current = choices.find(({ label }) => label === shown) ?? choices.find(({ label }) => label === answer.label);
  const gap = el("section", { class: "choice-gap" });
  const show = (choice) => {
    current = choice;
    gap.setAttribute("aria-label", `The gap of choice ${choice.label}`);
    gap.replaceChildren(...gapParts(chosen, choice));
  };
  const change = (choice) => {
    show(choice);
    onShow(choice.label === answer.label ? null : choice.label);
    announce(`Choice ${choice.label}: ${choice.filled_gap}.`);
  };
  show(current);
  const share = () => copyText(linkOf(current.label === answer.label ? null : current.label), "The link");
  const copy = () => copyText(JSON.stringify(chosen, null, 1), "The answer as JSON");
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-head" }, el("span", { class: "kind" }, `Choice ${answer.label}`), confidence(chosen.confidence)),
    el("p", { class: "said", dir: "auto" }, answer.text),
    el("h4", {}, "The core fact, and its key span"),
    el("p", { class: "fact", dir: "auto" }, markedText({ text: fact, start: 0, marks: [[span.start, span.end]] })),
    weights(chosen, current, change),
    gap,
    el(
      "footer",
      { class: "card-foot" },
      el("button", { type: "button", class: "plain", onclick: share }, "Copy a link to this answer"),
      el("button", { type: "button", class: "plain", onclick: copy }, "Copy as JSON"),
      el("button", { type: "button", class: "plain", onclick: onAgain }, "Change and ask again"),
      el("span", { class: "time" }, time(chosen.milliseconds)),
    ),
  );
}

// All choices with their bars; the one that is picked is explained below.
function weights({ choices, answer }, current, onPick) {
  const name = `explained-${++count}`;
  return el(
    "fieldset",
    { class: "weights" },
    el("legend", {}, "All choices; pick one to see its gap"),
    choices.map((choice) =>
      el(
        "label",
        { class: choice.label === answer.label ? "answer" : null },
        el("input", { type: "radio", name, value: choice.label, checked: choice === current, onchange: () => onPick(choice) }),
        el("b", {}, choice.label),
        el("span", { class: "text", dir: "auto" }, choice.text),
        el("meter", { min: 0, max: 1, value: choice.probability, "aria-hidden": "true" }),
        el("span", { class: "percent" }, percent(choice.probability)),
      ),
    ),
  );
}

function gapParts(chosen, choice) {
  const { relations, answer } = chosen;
  const column = relations.indexOf(choice.relation);
  const known = choice.lines.filter(({ kind }) => kind !== "back-off");
  const clearest = known.toSorted((one, other) => other.relations[column] - one.relations[column]);
  const isAnswer = choice.label === answer.label;
  return [
    el("h4", {}, isAnswer ? "The gap, filled" : `The likeliest gap of ${choice.label}`),
    el("p", { class: "filled", dir: "auto" }, filled(chosen, choice)),
    el(
      "p",
      { class: "relation" },
      el("b", { title: direction(choice.relation) }, choice.relation),
      ` is the likeliest of the ${relations.length} relations, with ${percent(choice.relations[column])}.`,
    ),
    el("h4", {}, "What it rests on"),
    known.length
      ? restsOn(clearest, column)
      : el("p", { class: "hint" }, "Nothing in the knowledge speaks of both. It rests on what the model makes of the two words alone."),
    el("h4", {}, "Which relation each line speaks for"),
    heatMap(relations, choice),
  ];
}

function restsOn(lines, column) {
  const list = (some) => el("ol", { class: "quotes" }, some.map((line) => quote(line, line.relations[column])));
  const more = lines.slice(RESTS_ON);
  const folded = more.length
    ? el("details", { class: "more-lines" }, el("summary", {}, `${more.length} more ${more.length === 1 ? "line" : "lines"}`), list(more))
    : null;
  return el("div", {}, list(lines.slice(0, RESTS_ON)), folded);
}

function quote({ text, kind, source }, likely) {
  const from = source ? `${KINDS[kind]} from ${source}` : KINDS[kind];
  return el(
    "li",
    { class: "quote" },
    el("blockquote", { dir: "auto" }, text),
    el("cite", {}, `${from} · speaks for it with ${percent(likely)}`),
  );
}

// The sentence with its two ends, the key span lit up as it is in the fact.
function filled({ key_span: { text: span } }, { filled_gap: sentence, text, relation }) {
  const [first, last] = isInverse(relation) ? [text, span] : [span, text];
  const end = (words) => (words === span ? el("mark", {}, words) : words);
  const between = sentence.slice(first.length, sentence.length - last.length);
  if (first + between + last !== sentence) return sentence;
  return [end(first), el("em", {}, between), end(last)];
}

const percent = (likely) => `${Math.round(100 * likely)} %`;
