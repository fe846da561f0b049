// Quotes, each of which leads to its place in its document.

import { quoteAddress } from "./citations.js";
import { el } from "./dom.js";
import { markedText, placeOf } from "./marked-text.js";
import { sourceLine } from "./source-line.js";

// numbered: as the answer cites them.
export function quoteList(answered, quotes, { numbered = false } = {}) {
  return el(
    "ol",
    { class: numbered ? "quotes numbered" : "quotes" },
    quotes.map((quote) => {
      const href = quoteAddress(answered, quote);
      return el(
        "li",
        {},
        el(
          "a",
          { class: "quote", href },
          el("blockquote", { dir: "auto" }, markedText(quote)),
          el("cite", {}, placeOf(quote.document, quote.section)),
        ),
        sourceLine(quote.place),
        answered.from_corpora?.[quote.document] ? el("p", { class: "source" }, `from ${answered.from_corpora[quote.document]}`) : null,
      );
    }),
  );
}
