// Answering the questions of a dialog one by one: after each answer, what the dialog's teacher said. Of
// a test nothing is told.

import { announce, el } from "/static/js/dom.js";
import { Points } from "/static/js/pieces.js";
import { get, part, post } from "../api.js";
import { button } from "../parts.js";
import { spanAnswer, useStyle } from "./quac/span-answer.js";
import { answerLine, questionLine } from "./quac/talk.js";

export function show(root, { item, assignment, draft, change }) {
  useStyle(root);
  const talk = el("ol", { class: "talk", "aria-label": "The dialog so far" });
  const now = el("div", { class: "question-box" });
  const words = new Points(item.text);
  const own = (answer) => ({ ...answer, text: answer.kind === "span" ? words.slice(answer.start, answer.end) : "" });
  const picking = spanAnswer({ section: item, followUp: false, changed: () => {} });
  const sections = [
    el("h2", {}, item.title),
    el("p", { class: "background" }, item.background),
    el("p", { class: "heading" }, item.section),
    ...picking.reading,
  ];

  function draw(steps) {
    talk.replaceChildren(
      ...steps.done.flatMap((step) => [
        questionLine(step.question, "Question"),
        answerLine(own(step.answer), "You"),
        ...(step.given ? [answerLine(step.given, "The dialog's teacher")] : []),
      ]),
    );
    if (!steps.next) {
      now.replaceChildren(el("p", { class: "note" }, "All questions are answered. Hand it in."));
      return;
    }
    const number = steps.done.length;
    const send = button("Send the answer", () => answer(number), { kind: "primary", told: (error) => picking.refuse(told(error)) });
    now.replaceChildren(
      el("p", { class: "hint" }, `Question ${number + 1} of ${steps.steps}`),
      el("p", { class: "question-now", dir: "auto" }, steps.next.question),
      ...picking.fields,
      el("p", { class: "buttons" }, send, el("span", { class: "hint" }, "It cannot be changed afterwards.")),
    );
  }
  const told = (error) => error.problems.map((one) => one.message).join(" ") || error.message;
  async function answer(number) {
    const given = picking.answer();
    if (!given) {
      picking.refuse("Mark the answer in the section, or say that it does not tell.");
      return;
    }
    const steps = await post(`work/${part(assignment)}/steps`, { number, answer: given });
    picking.clear();
    draw(steps);
    change({ answered: steps.done.length });
    const theirs = steps.done.at(-1).given;
    if (theirs) announce(`The dialog's teacher: ${theirs.kind === "none" ? "The section does not tell." : theirs.text}`);
    else announce(steps.next?.question ?? "That was the last question.");
  }

  root.replaceChildren(
    el("div", { class: "two" }, el("section", {}, ...sections), el("section", {}, el("h2", {}, "The dialog"), talk, now)),
  );
  if (assignment) get(`work/${part(assignment)}/steps`).then(draw);
  else talk.replaceChildren(...(draft?.answers ?? []).map((one) => answerLine(own(one), "Answer")));
  return { mark: (problems) => problems.length && picking.refuse(problems[0].message) };
}
