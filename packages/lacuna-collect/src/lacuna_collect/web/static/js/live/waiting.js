// The waiting room: how many are there, and how long it may last.

import { el } from "/static/js/dom.js";
import { button, duration } from "../parts.js";

const WHY_NOT = {
  "have-met": "Those who wait have talked with you already. Nobody gets the same partner twice.",
  "no-section": "There is no section left that is new to both of you. More may come.",
  "is-paused": "The requester has paused this task.",
};

export function waitingCard(message, leave) {
  const others = message.here - 1;
  const lines = [
    others ? `${others} ${others === 1 ? "other person waits" : "others wait"}.` : "Nobody else waits at this moment.",
    message.talking ? `${message.talking} ${message.talking === 1 ? "dialog is" : "dialogs are"} being held.` : "",
    message.estimate_seconds === null
      ? "How long it may take is not known yet."
      : `Lately it took about ${duration(message.estimate_seconds)}.`,
  ];
  const simulated = message.simulated_in_seconds;
  return el(
    "div",
    { class: "card" },
    el("h2", {}, "Waiting for a partner"),
    el("p", {}, lines.filter(Boolean).join(" ")),
    message.why_not in WHY_NOT ? el("p", { class: "note" }, WHY_NOT[message.why_not]) : null,
    simulated === null
      ? null
      : el("p", { class: "hint" }, `If nobody comes within ${duration(simulated)}, a simulated partner does, which is marked as such.`),
    el("p", { class: "hint" }, "Keep this page open. It says when somebody is there."),
    el("p", { class: "buttons" }, button("Stop waiting", leave)),
  );
}
