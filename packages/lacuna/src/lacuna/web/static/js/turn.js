// One question of the dialog: its heading, what it was asked of, and its card.

import { el } from "./dom.js";
import { stepLine } from "./steps-list.js";

let count = 0;
const LOOKING = "Looking for an answer …";

export const readFrom = (title) => (title ? `read from ${title}` : "asked of the whole corpus");
const plain = (text, onclick, label) =>
  el("button", { type: "button", class: "plain", "aria-label": label, onclick }, text);

// of: a line under the question; onEdit(question): to be typed again; settle says what it was read
// as, and where.
export function turn(question, of, card, onEdit = null) {
  const id = `turn-${++count}`;
  const readAs = el("p", { class: "read-as", dir: "auto" });
  const line = el("p", { class: "turn-of" }, of);
  const understood = el("div", { class: "turn-line", hidden: true }, readAs);
  const under = el("div", { class: "turn-line" }, line);
  const node = el(
    "article",
    { class: "turn", "aria-labelledby": id },
    el("h3", { class: "turn-question", id, dir: "auto" }, question),
    understood,
    under,
    card,
  );
  const settle = ({ id: answer, read_as: read, context }) => {
    node.dataset.answer = answer;
    understood.hidden = !read;
    readAs.textContent = read ? `Read as: ${read}` : "";
    line.textContent = readFrom(context);
    if (!onEdit) return;
    if (read) understood.append(plain("Edit", () => onEdit(read), "Edit what it was read as"));
    under.append(plain("Edit", () => onEdit(question), "Edit the question"));
  };
  return { node, settle };
}

// onStop: called when the person no longer wants it; begin: its time has come.
export function pendingCard(onStop) {
  const text = el("span", {}, "Waits for the question before it …");
  const steps = el("ol", { class: "step-list steps-live" });
  const stop = el("button", { type: "button", class: "quiet stop", onclick: onStop }, "Stop");
  const node = el(
    "div",
    { class: "card", "aria-busy": "true" },
    el("p", { class: "waiting-line" }, el("span", { class: "pulse" }), text, stop),
    steps,
  );
  const begin = () => {
    text.textContent = LOOKING;
  };
  const onEvent = (event) => {
    if (event.event === "step") {
      text.textContent = LOOKING;
      steps.append(stepLine(event.step));
    } else if (event.event === "waiting") {
      text.textContent = event.ahead ? `In the queue: ${event.ahead} before you …` : LOOKING;
    } else if (event.event === "busy") {
      text.textContent = `Many people are asking. Trying again in ${event.seconds} s …`;
    }
  };
  return { node, begin, onEvent };
}

// error: null where it was stopped.
export function failedCard(error, { onRetry, onEdit }) {
  const said = error
    ? el("p", { class: "problem", role: "alert" }, error.message)
    : el("p", {}, "Stopped before there was an answer.");
  return el(
    "div",
    { class: error ? "card failed" : "card stopped" },
    said,
    el("p", { class: "card-foot" }, plain("Retry", onRetry), onEdit ? plain("Edit", onEdit) : null),
  );
}
