// What stands in the dialog before anything was asked.

import { el } from "./dom.js";

export function welcome(corpus, onExample) {
  const examples = corpus.examples.map((example) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "example", onclick: () => onExample(example) },
        example.question,
        el("small", {}, example.title ? `of ${example.title}` : "of the whole corpus"),
      ),
    ),
  );
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, "Ask what the text only partly answers"),
    el(
      "p",
      {},
      "Lacuna finds what is missing along the links, reads it there, and answers with its evidence. " +
        "Or it says plainly what is missing, and where it looked.",
    ),
    examples.length ? [el("h3", {}, "Questions to begin with"), el("ul", {}, examples)] : null,
  );
}
