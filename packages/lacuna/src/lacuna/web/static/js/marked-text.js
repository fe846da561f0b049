// A quote with the answer marked in it.

import { el } from "./dom.js";
import { pieces, Points } from "./pieces.js";

export function markedText(quote) {
  const points = new Points(quote.text);
  const marks = quote.marks.map(([start, end]) => ({
    start: start - quote.start,
    end: end - quote.start,
  }));
  return pieces(points, 0, points.length, marks).map((piece) =>
    piece.in.length ? el("mark", {}, piece.text) : piece.text,
  );
}

export function placeOf(document, section) {
  const path = section.length && section[0] === document ? section : [document, ...section];
  return path.join(" › ");
}
