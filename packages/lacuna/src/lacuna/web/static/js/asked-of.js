// What the next question is asked of, above the box.

import { el } from "./dom.js";

export function showAskedOf(root, { title, inDialog, begun, withChoices, onWhole, onChoices, onNew, onMore }) {
  const button = (text, onclick) => el("button", { type: "button", class: "plain", onclick }, text);
  root.replaceChildren(
    ...(withChoices ? ["Asked with a core fact and choices; the corpus is not read for it"] : ["Asked of", whom(title, inDialog, onWhole)]),
    el(
      "span",
      { class: "asked-of-tools" },
      withChoices ? button("Without choices", onChoices) : null,
      begun ? button("New dialog", onNew) : null,
      button("More …", onMore),
    ),
  );
}

function whom(title, inDialog, onWhole) {
  if (!title) return el("span", {}, inDialog ? "the whole corpus, as a follow-up" : "the whole corpus");
  return el(
    "span",
    { class: "chip" },
    el("span", {}, title),
    el("button", { type: "button", title: "Ask the whole corpus", "aria-label": `Not of ${title}: ask the whole corpus`, onclick: onWhole }, "×"),
  );
}
