// The numbers of the quotes that an answer rests on; each opens its place.

import { addressOf } from "./address.js";
import { el } from "./dom.js";

export function quoteAddress(answered, { document: doc, start, end }) {
  return addressOf({ corpus: answered.corpus, doc, at: { start, end }, answer: answered.id });
}

// The numbers, from 1, of what the whole answer was taken from; of all quotes where that is not known.
export function sourcesOf({ quotes }) {
  const taken = numbered(quotes, (quote) => quote.marks.length > 0);
  return taken.length ? taken : numbered(quotes, () => true);
}

// Those that hold a place of a text; all where none does.
export function sourcesOfPlace(answered, place) {
  const holds = (quote) => quote.document === place?.document && quote.start < place.end && quote.end > place.start;
  const found = numbered(answered.quotes, holds);
  return found.length ? found : sourcesOf(answered);
}

export function citations(answered, numbers) {
  if (!numbers.length) return null;
  const links = numbers.map((number) => {
    const quote = answered.quotes[number - 1];
    const label = `Source ${number}: ${quote.document}`;
    return el("a", { href: quoteAddress(answered, quote), title: quote.document, "aria-label": label }, String(number));
  });
  return el("sup", { class: "cites" }, links);
}

const numbered = (quotes, test) =>
  quotes.map((quote, place) => (test(quote) ? place + 1 : 0)).filter((number) => number > 0);
