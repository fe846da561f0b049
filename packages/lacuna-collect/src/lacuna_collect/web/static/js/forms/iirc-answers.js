// IIRC's answer task: the questions of a set, and the texts that may answer them.

import { el } from "/static/js/dom.js";
import { answerCard } from "./iirc/answer-card.js";
import { markProblems, placeOf, room, useStyle } from "./iirc/fields.js";

const BLANK = { kind: "", spans: [], context: [], number: "", unit: "", reason: "" };

export { placeOf };

export function show(root, { item, draft, problems, change }) {
  useStyle();
  root.classList.add("iirc");
  const given = Array.isArray(draft?.answers) ? draft.answers : [];
  const answers = item.questions.map((_, index) => ({ ...structuredClone(BLANK), ...given[index] }));
  const changed = () => change({ answers: structuredClone(answers) });
  const cards = answers.map((answer, index) => answerCard({ item, index, answer, changed }));
  root.replaceChildren(
    el("section", { class: "question-list" }, el("h2", {}, "Questions"), room("answers"), ...cards.map(({ card }) => card)),
  );
  cards[0].card.open = true;
  const mark = (found) => {
    for (const { field } of found) cards[Number(field.split(".")[1])]?.build(); // folded ones are empty
    markProblems(root, found);
  };
  mark(problems ?? []);
  return { mark };
}
