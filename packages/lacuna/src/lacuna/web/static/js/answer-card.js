// The card of an answer, or of what is missing.

import { addressOf, sharedAddress } from "./address.js";
import { alternativesFolded } from "./alternatives.js";
import { answerText } from "./answer-text.js";
import { copyText } from "./clipboard.js";
import { confidence, meaning } from "./confidence.js";
import { degree } from "./degree.js";
import { el } from "./dom.js";
import { feedback } from "./feedback.js";
import { answerMarkdown } from "./markdown.js";
import { pathDrawing } from "./path-drawing.js";
import { quoteList } from "./quote-list.js";
import { stepsFolded } from "./steps-list.js";

const KINDS = {
  span: "Text",
  spans: "Several",
  number: "Number",
  yes: "Yes or no",
  no: "Yes or no",
  choice: "Choice",
  none: "No answer",
};

// takesFeedback: whether the server keeps what is said of it.
export function answerCard(answered, { takesFeedback = false } = {}) {
  const isGap = answered.degree === "none";
  return el(
    "div",
    { class: isGap ? "card gap" : "card" },
    answered.advice ? adviceParts(answered) : isGap ? gapParts(answered) : answerParts(answered),
    alternativesFolded(answered),
    stepsFolded(answered),
    foot(answered),
    takesFeedback ? feedback(answered) : null,
  );
}

function answerParts(answered) {
  const { answer, quotes, acts } = answered;
  return [
    el("div", { class: "card-head" }, el("span", { class: "kind" }, KINDS[answer.kind]), confidence(answered)),
    meaning(answered),
    degree(answered),
    answerText(answered),
    quotes.length ? [el("h4", {}, "Evidence"), quoteList(answered, quotes, { numbered: true })] : null,
    way(answered),
    acts?.follow_up === "y" ? el("p", { class: "hint" }, "There is more to ask about this.") : null,
  ].flat();
}

// It was no question that documents answer.
function adviceParts(answered) {
  const { advice, quotes } = answered;
  const nearest = quotes.length ? [el("h4", {}, "The nearest that was found"), quoteList(answered, quotes)] : [];
  return [el("p", { class: "advice" }, advice), ...nearest];
}

function gapParts(answered) {
  const { gaps, nearest_quote: nearest } = answered;
  const all = (name) => [...new Set(gaps.flatMap((gap) => gap[name]))];
  const [looked, dangling] = [all("looked_in"), all("dangling")];
  return [
    el("div", { class: "card-head" }, el("span", { class: "kind" }, KINDS.none), confidence(answered)),
    meaning(answered),
    el("p", { class: "answer-text" }, "What is missing"),
    gaps.map((gap) => el("p", { class: "missing", dir: "auto" }, gap.missing)),
    looked.length ? [el("h4", {}, "Where it was looked for"), places(answered, looked)] : null,
    nearest ? [el("h4", {}, "The nearest that was found"), quoteList(answered, [nearest])] : null,
    dangling.length
      ? [
          el("h4", {}, "Links that lead nowhere"),
          el("ul", { class: "places" }, dangling.map((name) => el("li", { class: "nowhere" }, name))),
        ]
      : null,
  ].flat(2);
}

// Places are documents, or sections behind a "›".
function places(answered, looked) {
  return el(
    "ul",
    { class: "places" },
    looked.map((place) => {
      const [doc] = place.split(" › ");
      return el("li", {}, el("a", { href: addressOf({ corpus: answered.corpus, doc, answer: answered.id }) }, place));
    }),
  );
}

function way(answered) {
  const drawing = pathDrawing(answered);
  return drawing ? [el("h4", {}, "The way there"), drawing] : null;
}

function foot(answered) {
  const share = () => copyText(sharedAddress(answered), "The link");
  const sourced = () => copyText(answerMarkdown(answered), "The answer with its sources");
  const copy = () => copyText(JSON.stringify(answered, null, 1), "The answer as JSON");
  return el(
    "footer",
    { class: "card-foot" },
    el("button", { type: "button", class: "plain", onclick: sourced }, "Copy with sources"),
    el("button", { type: "button", class: "plain", onclick: share }, "Copy a link to this answer"),
    el("button", { type: "button", class: "plain", onclick: copy }, "Copy as JSON"),
  );
}
