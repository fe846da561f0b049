// QuAC's dialogs: the test is answered alone; a dialog that was held can be read.

import { el } from "/static/js/dom.js";
import { show as showAnswers } from "./quac-answers.js";
import { useStyle } from "./quac/span-answer.js";
import { answerLine, questionLine } from "./quac/talk.js";

export function show(root, given) {
  if (given.item.kind === "answering") return showAnswers(root, given);
  useStyle(root);
  root.replaceChildren(
    el("h2", {}, given.item.title),
    el("p", { class: "background" }, given.item.background),
    el("p", { class: "heading" }, given.item.section),
    el(
      "ol",
      { class: "talk", "aria-label": "The dialog" },
      ...(given.draft?.turns ?? []).flatMap((turn) => [
        questionLine(turn.question, "Student"),
        answerLine({ ...turn.answer, text: turn.words }, "Teacher"),
      ]),
    ),
  );
  return { mark: () => {} };
}
