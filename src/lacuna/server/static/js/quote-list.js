// Quotes, each of which leads to its place in its document.

import { addressOf } from "./address.js";
import { el } from "./dom.js";
import { markedText, placeOf } from "./marked-text.js";
import { sourceLine } from "./source-line.js";

export function quoteList(answered, quotes) {
  return el(
    "ol",
    { class: "quotes" },
    quotes.map((quote) => {
      const { document: doc, start, end } = quote;
      const href = addressOf({ corpus: answered.corpus, doc, at: { start, end }, answer: answered.id });
      return el(
        "li",
        {},
        el(
          "a",
          { class: "quote", href },
          el("blockquote", { dir: "auto" }, markedText(quote)),
          el("cite", {}, placeOf(doc, quote.section)),
        ),
        sourceLine(quote.place),
      );
    }),
  );
}
