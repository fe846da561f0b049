// Review of a question: does it take both paragraphs, or just one of them?

import { el } from "/static/js/dom.js";
import { byField, choice, paragraphs, withStyle } from "./hotpotqa-paragraphs.js";

const OPTIONS = [["one", "One paragraph is enough"], ["both", "It takes both"]];

export function show(root, { item, draft, problems, change }) {
  withStyle();
  const needs = choice("What does the question take?", "needs", OPTIONS, draft?.needs, (value) => change({ needs: value }));
  const mark = (found) => needs.mark(byField(found).get("needs"));
  root.replaceChildren(
    el(
      "div",
      { class: "hotpotqa" },
      el("p", { class: "given-question", dir: "auto" }, item.question),
      el("p", { class: "given-answer" }, "Answer: ", el("b", { dir: "auto" }, item.answer)),
      paragraphs(item),
      needs.field,
    ),
  );
  if (problems?.length) mark(problems);
  return { mark };
}
