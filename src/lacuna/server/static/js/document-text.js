// A document's text as elements: headings, paragraphs, links, and what is highlighted in them.

import { addressOf } from "./address.js";
import { el } from "./dom.js";
import { pieces, Points } from "./pieces.js";

// lit: {followed: Set of "start-end", led: the same, quotes: [{start, end, marks}], at}
export function documentText(doc, lit, answer) {
  const points = new Points(doc.text);
  const layers = [
    ...doc.links.map((link) => ({ kind: "link", ...link })),
    ...lit.quotes.map(({ start, end }) => ({ kind: "quoted", start, end })),
    ...lit.quotes.flatMap(({ marks }) =>
      marks.map(([start, end]) => ({ kind: "marked", start, end })),
    ),
    ...(lit.at ? [{ kind: "here", ...lit.at }] : []),
  ];
  const words = ([start, end]) =>
    pieces(points, start, end, layers).map((piece) => lettered(piece, doc, lit, answer));
  return blocks(doc, points).map((block) => el(block.tag, {}, words(block.span)));
}

function lettered(piece, doc, lit, answer) {
  const link = piece.in.find((layer) => layer.kind === "link");
  const names = piece.in.map((layer) => layer.kind).filter((kind) => kind !== "link");
  const text = names.length ? el("span", { class: names.join(" ") }, piece.text) : piece.text;
  if (!link) return text;
  if (!link.title) {
    const hint = `Leads to “${link.target}”, which is not in this corpus`;
    return el("span", { class: "dangling", title: hint }, text);
  }
  const place = `${link.start}-${link.end}`;
  const lights = [lit.followed.has(place) && "followed", lit.led.has(place) && "led"];
  const href = addressOf({ corpus: doc.corpus, doc: link.title, answer });
  const hint = lit.led.has(place)
    ? "Followed: what was missing stands there"
    : lit.followed.has(place) && "Followed";
  return el("a", { href, class: lights.filter(Boolean).join(" ") || null, title: hint }, text);
}

// Paragraphs where they are known; what stands between them is a heading or a line of its own.
function blocks(doc, points) {
  const found = [];
  let at = 0;
  const between = (start, end) => {
    let from = start;
    for (const line of points.slice(start, end).split("\n")) {
      const size = [...line].length;
      if (line.trim()) found.push({ tag: tagOf(doc, from, line), span: [from, from + size] });
      from += size + 1;
    }
  };
  for (const [start, end] of doc.paragraphs) {
    between(at, start);
    found.push({ tag: "p", span: [start, end] });
    at = end;
  }
  between(at, points.length);
  return found;
}

function tagOf(doc, start, line) {
  const section = doc.sections.find(
    ({ path, start: begins }) => begins === start && path.at(-1) === line.trim(),
  );
  if (!section) return "p";
  return section.path.length > 2 ? "h4" : "h3";
}
