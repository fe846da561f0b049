// The card of a question with choices: the choice, its gap, and what fills it.

import { copyText } from "./clipboard.js";
import { confidence, percent } from "./confidence.js";
import { announce, el } from "./dom.js";
import { direction, heatMap, isInverse, plainName } from "./heat-map.js";
import { markedText } from "./marked-text.js";
import { time } from "./steps-list.js";

const SHOWN = 3; // lines that are shown at once: those that say most
const KINDS = { sentence: "Sentence", triple: "Triple" };

let count = 0;

// result: a result with choices; shown: the label of the choice whose gap is shown first.
export function choiceCard(result, { shown, onShow, onAgain, linkOf }) {
  const { answer, choices, fact, key_span: span } = result;
  let current = choices.find(({ label }) => label === shown) ?? choices.find(({ label }) => label === answer.label);
  const gap = el("section", { class: "choice-gap" });
  const show = (choice) => {
    current = choice;
    gap.setAttribute("aria-label", `The gap of choice ${choice.label}`);
    gap.replaceChildren(...gapParts(result, choice));
  };
  const change = (choice) => {
    show(choice);
    onShow(choice.label === answer.label ? null : choice.label);
    announce(`Choice ${choice.label}: ${gapInWords(result, choice)}.`);
  };
  show(current);
  const share = () => copyText(linkOf(current.label === answer.label ? null : current.label), "The link");
  const copy = () => copyText(JSON.stringify(result, null, 1), "The answer as JSON");
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-head" }, el("span", { class: "kind" }, `Choice ${answer.label}`), confidence(result)),
    el("p", { class: "answer-text", dir: "auto" }, answer.texts[0]),
    el("h4", {}, "The core fact, and its key span"),
    el("p", { class: "fact", dir: "auto" }, markedText({ text: fact, start: 0, marks: [[span.start, span.end]] })),
    choiceList(result, current, change),
    gap,
    el(
      "footer",
      { class: "card-foot" },
      el("button", { type: "button", class: "plain", onclick: share }, "Copy a link to this answer"),
      el("button", { type: "button", class: "plain", onclick: copy }, "Copy as JSON"),
      el("button", { type: "button", class: "plain", onclick: onAgain }, "Change and ask again"),
      el("span", { class: "time" }, time(result.milliseconds)),
    ),
  );
}

// All choices with their bars; the one that is picked is explained below.
function choiceList({ choices, answer }, current, onPick) {
  const name = `explained-${++count}`;
  return el(
    "fieldset",
    { class: "choice-scores" },
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

// How a choice stands to the key span; a model that reads no knowledge has no lines.
function statusOf({ gap, lines }) {
  if (gap) return gap.filled ? "filled" : "open";
  return lines.length ? "none" : "unread";
}

// The same in one sentence.
export function gapInWords({ key_span: { text: span } }, choice) {
  const status = statusOf(choice);
  if (status === "filled") return choice.gap.filled;
  if (status === "none") return `“${choice.text}” is the key span itself, so nothing is missing`;
  if (status === "unread") return "This model reads no knowledge";
  return `How “${span}” and “${choice.text}” are related is missing: nothing that was found is about these two alone`;
}

const HEADS = { filled: "The gap, filled", open: "The gap stays open", none: "There is no gap", unread: "The gap" };

function gapParts(result, choice) {
  const { relations } = result;
  const status = statusOf(choice);
  const isFilled = status === "filled";
  const knowledge = choice.lines.filter(({ kind }) => kind !== "back-off" && choice.gap); // the clearest first
  const others = knowledge.slice(isFilled ? 1 : 0);
  return [
    el("h4", {}, HEADS[status]),
    el("p", { class: isFilled ? "filled" : "unfilled", dir: "auto" }, isFilled ? filled(result, choice) : `${gapInWords(result, choice)}.`),
    isFilled ? statedBy(choice, knowledge[0]) : null,
    status === "open" && !others.length
      ? el("p", { class: "hint" }, "The choice is scored by what the model makes of the two words alone.")
      : null,
    others.length ? [el("h4", {}, isFilled ? "Also found" : "What was found"), quotes(others)] : null,
    choice.lines.length
      ? [el("h4", {}, "Which relation the model reads in each line"), heatMap(relations, choice)]
      : null,
  ]
    .flat()
    .filter((part) => part !== null);
}

// The relation, and the line that states it.
function statedBy({ gap: { relation }, about }, line) {
  const how = about < 1 ? ", stated of a part of the words:" : ", stated by:";
  return el(
    "div",
    {},
    el("p", { class: "relation" }, el("b", { title: direction(relation) }, plainName(relation)), how),
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
function filled({ key_span: { text: span } }, { text, gap: { filled: sentence, relation } }) {
  const [first, last] = isInverse(relation) ? [text, span] : [span, text];
  const end = (words) => (words === span ? el("mark", {}, words) : words);
  const between = sentence.slice(first.length, sentence.length - last.length);
  if (first + between + last !== sentence) return sentence;
  return [end(first), el("em", {}, between), end(last)];
}
