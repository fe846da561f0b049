// Answers as Markdown, with their sources.

import { inOneLine } from "./answer-text.js";
import { sourcesOf, sourcesOfPlace } from "./citations.js";
import { inWords, percent } from "./confidence.js";
import { placeOf } from "./marked-text.js";

const plain = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>]/g, "\\$&");
const cited = (numbers) => numbers.map((number) => `[${number}]`).join("");

export function answerMarkdown(answered) {
  const { question, read_as: read, quotes, degree } = answered;
  const parts = [`**${plain(question)}**`];
  if (read) parts.push(`Read as: ${plain(read)}`);
  parts.push(degree === "none" ? missing(answered) : given(answered));
  if (quotes.length) parts.push(quotes.map(source(answered.from_corpora)).join("\n"));
  return `${parts.join("\n\n")}\n`;
}

export const dialogMarkdown = (held) =>
  held.map((one) => (one.choices ? choiceMarkdown(one) : answerMarkdown(one))).join("\n---\n\n");

function choiceMarkdown({ question, fact, choices, answer, gaps, confidence }) {
  const options = choices.map(({ label, text }) => `- ${label}: ${plain(text)}`).join("\n");
  const chosen = `Choice ${answer.label}${confidence === null ? "" : ` (${percent(confidence)})`}`;
  const filled = gaps.map((gap) => gap.filled).filter(Boolean);
  return `${[`**${plain(question)}**`, `Core fact: ${plain(fact)}`, options, chosen, ...filled.map(plain)].join("\n\n")}\n`;
}

function given(answered) {
  const { answer, degree, confidence } = answered;
  const sure = confidence === null ? "" : ` (${inWords(answered).toLowerCase()})`;
  const first = degree === "probable" ? "Probably: " : "";
  if (answer.kind === "spans") {
    const items = answer.texts.map((text, at) => `- ${plain(text)} ${cited(sourcesOfPlace(answered, answer.found_at[at]))}`);
    return [`${first || "Answer: "}${sure.trim()}`.trim(), "", ...items].join("\n");
  }
  const calculated = answer.expression ? ` = ${plain(answer.expression)}` : "";
  return `${first}${plain(inOneLine(answer))}${calculated} ${cited(sourcesOf(answered))}${sure}`.replace("  ", " ");
}

const missing = ({ gaps, advice }) => advice ? plain(advice) : `No answer was found. ${gaps.map((gap) => plain(gap.missing)).join(" ")}`.trim();

const source = (corpora) => (quote, at) => {
  const file = quote.place?.text ? `, ${plain(quote.place.text)}` : "";
  const part = corpora?.[quote.document];
  return `${at + 1}. “${plain(quote.text)}” (${plain(placeOf(quote.document, quote.section))}${file}${part ? `, from ${plain(part)}` : ""})`;
};
