// Thumbs up and down under an answer, and what would be right; the server keeps the last word.

import { sendFeedback } from "./api.js";
import { announce, el } from "./dom.js";

const LONGEST = 2000;
let count = 0;

export function feedback(answered) {
  const id = `correction-${++count}`;
  const said = el("span", { class: "feedback-said" });
  const input = el("input", { type: "text", id, dir: "auto", autocomplete: "off", maxlength: LONGEST });
  const form = el(
    "form",
    { class: "correction", hidden: true },
    el("label", { for: id }, "What would be right? (“none” if the documents do not say it)"),
    el("div", { class: "row" }, input, el("button", { type: "submit", class: "quiet" }, "Send")),
  );
  const thumbs = [
    ["right", "✓", "Right"],
    ["wrong", "✗", "Wrong"],
  ].map(([verdict, sign, name]) =>
    el(
      "button",
      { type: "button", class: "thumb", "aria-pressed": "false", onclick: () => choose(verdict), "data-verdict": verdict },
      el("span", { "aria-hidden": "true" }, `${sign} `),
      name,
    ),
  );

  async function send(verdict, correction) {
    try {
      await sendFeedback({ answer: answered.id, verdict, correction });
    } catch (problem) {
      tell(problem.message, true);
      return false;
    }
    for (const thumb of thumbs) thumb.setAttribute("aria-pressed", String(thumb.dataset.verdict === verdict));
    tell(correction ? "Thank you, the correction is kept." : "Thank you, it is kept.", false);
    return true;
  }

  function tell(words, wrong) {
    said.textContent = words;
    said.classList.toggle("problem", wrong);
    announce(words);
  }

  async function choose(verdict) {
    if (!(await send(verdict, null))) return;
    form.hidden = verdict === "right";
    if (!form.hidden) input.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const correction = input.value.trim();
    if (!correction) return input.focus();
    if (!(await send("wrong", correction))) return;
    form.hidden = true;
    thumbs[1].focus();
  });
  const group = { class: "feedback", role: "group", "aria-label": "Is the answer right?" };
  return [el("div", group, thumbs, said), form];
}
