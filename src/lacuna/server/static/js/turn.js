// One question of the dialog: its heading, what it was asked of, and its card.

import { el } from "./dom.js";
import { stepLine } from "./steps-list.js";

let count = 0;

export const readFrom = (title) => (title ? `read from ${title}` : "asked of the whole corpus");

// of: a line under the question; settle says what it was read as, and where.
export function turn(question, of, card) {
  const id = `turn-${++count}`;
  const readAs = el("p", { class: "read-as", dir: "auto", hidden: true });
  const line = el("p", { class: "turn-of" }, of);
  const node = el(
    "article",
    { class: "turn", "aria-labelledby": id },
    el("h3", { class: "turn-question", id, dir: "auto" }, question),
    readAs,
    line,
    card,
  );
  const settle = ({ read_as: read, context }) => {
    readAs.hidden = !read;
    readAs.textContent = read ? `Read as: ${read}` : "";
    line.textContent = readFrom(context);
  };
  return { node, settle };
}

export function pendingCard() {
  const text = el("span", {}, "Looking for an answer …");
  const steps = el("ol", { class: "step-list steps-live" });
  const node = el(
    "div",
    { class: "card", "aria-busy": "true" },
    el("p", { class: "waiting-line" }, el("span", { class: "pulse" }), text),
    steps,
  );
  const onEvent = (event) => {
    if (event.event === "step") {
      text.textContent = "Looking for an answer …";
      steps.append(stepLine(event.step));
    } else if (event.event === "waiting") {
      text.textContent = event.ahead ? `In the queue: ${event.ahead} before you …` : "Looking for an answer …";
    } else if (event.event === "busy") {
      text.textContent = `Many people are asking. Trying again in ${event.seconds} s …`;
    }
  };
  return { node, onEvent };
}

export const failedCard = (error) =>
  el("div", { class: "card failed" }, el("p", { class: "problem", role: "alert" }, error.message));
