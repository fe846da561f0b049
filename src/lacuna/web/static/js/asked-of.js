// What the next question is asked of, above the box.

import { el } from "./dom.js";

export function showAskedOf(root, { passage, inDialog, onWhole, onNew }) {
  const chip = passage
    ? el(
        "span",
        { class: "chip" },
        el("span", {}, passage),
        el("button", { type: "button", title: "Ask the whole corpus", "aria-label": `Not of ${passage}: ask the whole corpus`, onclick: onWhole }, "×"),
      )
    : el("span", {}, inDialog ? "the whole corpus, as a follow-up" : "the whole corpus");
  const fresh = inDialog
    ? el("button", { type: "button", class: "plain new", onclick: onNew }, "New dialog")
    : null;
  root.replaceChildren(...["Asked of", chip, fresh].filter(Boolean));
}
