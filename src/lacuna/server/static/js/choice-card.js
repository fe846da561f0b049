// The card of a question with choices: the choice, its gap, and what fills it.

import { copyText } from "./clipboard.js";
import { confidence } from "./confidence.js";
import { announce, el } from "./dom.js";
import { direction, heatMap, isInverse } from "./heat-map.js";
import { markedText } from "./marked-text.js";
import { time } from "./steps-list.js";

const SHOWN = 3; // lines that are shown at once: those that say most
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
    announce(`Choice ${choice.label}: ${gapInWords(chosen, choice)}.`);
  };
  show(current);
  const share = () => copyText(linkOf(current.label === answer.label ? null : current.label), "The link");
  const copy = () => copyText(JSON.stringify(chosen, null, 1), "The answer as JSON");
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-head" }, el("span", { class: "kind" }, `Choice ${answer.label}`), confidence(chosen.confidence)),
    el("p", { class: "answer-text", dir: "auto" }, answer.text),
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

// One sentence on how it stands between the key span and a choice.
export function gapInWords({ key_span: { text: span } }, { gap, filled_gap: sentence, text }) {
  if (gap === "filled") return sentence;
  if (gap === "none") return `“${text}” is the key span itself, so nothing is missing`;
  if (gap === "unseen") return "This model looks at no knowledge";
  return `How “${span}” and “${text}” are related is missing: nothing that was found is about these two alone`;
}

const HEADS = { filled: "The gap, filled", open: "The gap stays open", none: "There is no gap", unseen: "The gap" };

function gapParts(chosen, choice) {
  const { relations } = chosen;
  const isFilled = choice.gap === "filled";
  const known = choice.lines.filter(({ kind }) => kind !== "back-off" && choice.gap !== "none"); // the clearest first
  const found = known.slice(isFilled ? 1 : 0);
  return [
    el("h4", {}, HEADS[choice.gap]),
    el("p", { class: isFilled ? "filled" : "unfilled", dir: "auto" }, isFilled ? filled(chosen, choice) : `${gapInWords(chosen, choice)}.`),
    isFilled ? statedBy(choice, known[0]) : null,
    choice.gap === "open" && !found.length
      ? el("p", { class: "hint" }, "The choice is weighed by what the model makes of the two words alone.")
      : null,
    found.length ? [el("h4", {}, isFilled ? "Also found" : "What was found"), quotes(found)] : null,
    choice.lines.length
      ? [el("h4", {}, "Which relation the model reads in each line"), heatMap(relations, choice)]
      : null,
  ]
    .flat()
    .filter((part) => part !== null);
}

// The relation, and the line that states it.
function statedBy({ relation, about }, line) {
  const told = about < 1 ? ", stated of a part of the words:" : ", stated by:";
  return el(
    "div",
    {},
    el("p", { class: "relation" }, el("b", { title: direction(relation) }, relation), told),
    el("ol", { class: "quotes" }, quote(line)),
  );
}

function quotes(lines) {
  const list = (some) => el("ol", { class: "quotes" }, some.map(quote));
  const more = lines.slice(SHOWN);
  const folded = more.length
    ? el("details", { class: "more-lines" }, el("summary", {}, `${more.length} more ${more.length === 1 ? "line" : "lines"}`), list(more))
    : null;
  return el("div", {}, list(lines.slice(0, SHOWN)), folded);
}

function quote({ text, kind, source }) {
  const from = source ? `${KINDS[kind]} from ${source}` : KINDS[kind];
  return el("li", { class: "quote" }, el("blockquote", { dir: "auto" }, text), el("cite", {}, from));
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
