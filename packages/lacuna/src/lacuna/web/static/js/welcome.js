// What stands in the dialog before anything was asked.

import { el } from "./dom.js";

export const BEGIN = "Questions to begin with";

// gone: the name of what was asked last, where it is not there any more; more(): questions that are being looked for, where the corpus has none of its own.
export function welcome(corpus, { gone, onExample, onOwn, more }) {
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
    gone &&
      el(
        "p",
        { class: "own gone" },
        `${gone}, which you asked last, is not here any more. ` +
          "Drop it here again, and its dialogs under “More …” lead into it.",
      ),
    el(
      "p",
      { class: "own" },
      "To ask your own documents, drop a folder or files anywhere on this page, or ",
      el("button", { type: "button", class: "plain", onclick: onOwn }, "choose them"),
      ".",
    ),
    examples.length ? [el("h3", {}, BEGIN), el("ul", {}, examples)] : more(),
  );
}
