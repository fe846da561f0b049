// The other answers that were considered, each with its confidence and its sources.

import { inOneLine } from "./answer-text.js";
import { likelihood } from "./confidence.js";
import { el } from "./dom.js";
import { quoteList } from "./quote-list.js";

export function alternativesFolded(answered) {
  const { alternatives, degree } = answered;
  if (!alternatives.length) return null;
  const title = degree === "none" ? "Considered, and not sure enough" : "Other answers that were considered";
  return el(
    "details",
    { class: "alternatives" },
    el("summary", {}, `${title}: ${alternatives.length}`),
    el("ol", {}, alternatives.map((other) => alternative(answered, other))),
  );
}

function alternative(answered, { answer, confidence, quotes }) {
  const calculated = answer.expression ? el("span", { class: "expression" }, ` = ${answer.expression}`) : null;
  return el(
    "li",
    {},
    el("p", { class: "alternative" }, el("b", { dir: "auto" }, inOneLine(answer), calculated), likelihood(confidence)),
    quotes.length ? quoteList(answered, quotes) : null,
  );
}
