// The words of a document as elements: links, what stands out, and what is highlighted in them.

import { addressOf } from "./address.js";
import { pictureAddress } from "./api.js";
import { blockElements } from "./document-blocks.js";
import { el } from "./dom.js";
import { pieces, Points } from "./pieces.js";

const TAGS = { strong: "strong", emphasis: "em", code: "code" };

// lit: {followed: Map from "start-end" to links, led: Set of "start-end", quotes: [{start, end, marks}], at}
export function documentText(doc, lit, answer) {
  const points = new Points(doc.text);
  const layers = [
    ...[...doc.links, ...named(doc, lit)].map((link) => ({ ...link, kind: "link" })),
    ...doc.styles.map(({ kind, start, end }) => ({ kind: "style", tag: TAGS[kind], start, end })),
    ...lit.quotes.map(({ start, end }) => ({ kind: "quoted", start, end })),
    ...lit.quotes.flatMap(({ marks }) =>
      marks.map(([start, end]) => ({ kind: "marked", start, end })),
    ),
    ...(lit.at ? [{ kind: "here", ...lit.at }] : []),
  ];
  const between = (start, end) =>
    byLink(pieces(points, start, end, layers)).map(({ link, parts }) => {
      const texts = parts.map(lettered);
      return link ? linked(link, texts, doc, lit, answer) : texts;
    });
  const words = ({ start, end, pictures = [] }) => {
    // Behind a table, or between two blocks, a picture stands outside of its words.
    const cuts = pictures.map((picture) => Math.min(Math.max(picture.start, start), end));
    return [...cuts, end].flatMap((to, index) => [
      ...between(cuts[index - 1] ?? start, to),
      ...(index < pictures.length ? [shownPicture(doc, pictures[index])] : []),
    ]);
  };
  return blockElements(doc.blocks, words, ([start, end]) => points.slice(start, end));
}

// Its words, if there are any, stand behind it as text; so it needs none of its own then.
function shownPicture(doc, { number, start, end, name, width, height }) {
  const alt = start < end ? "" : `Picture: ${name}`;
  return el("img", { src: pictureAddress(doc.corpus, doc.title, number), alt, width, height, loading: "lazy" });
}

// In a text without links, names were followed.
const named = ({ links }, lit) => (links.length ? [] : lit.followed.values());

// A link that is cut by highlights stays one link.
function byLink(cut) {
  const groups = [];
  for (const piece of cut) {
    const link = piece.in.find((layer) => layer.kind === "link");
    if (link && groups.at(-1)?.link === link) groups.at(-1).parts.push(piece);
    else groups.push({ link, parts: [piece] });
  }
  return groups;
}

function lettered(piece) {
  const styles = piece.in.filter((layer) => layer.kind === "style");
  const words = styles.reduce((inner, { tag }) => el(tag, {}, inner), piece.text);
  const lights = piece.in.map((layer) => layer.kind).filter((kind) => !["link", "style"].includes(kind));
  if (!lights.length) return words;
  const isHere = lights.includes("here");
  return el("span", { class: lights.join(" "), "aria-current": isHere ? "location" : null }, words);
}

function linked(link, texts, doc, lit, answer) {
  if (!link.title) {
    const hint = `Leads to “${link.target}”, which is not in this corpus`;
    return el("span", { class: "dangling", title: hint }, texts);
  }
  const place = `${link.start}-${link.end}`;
  const lights = [lit.followed.has(place) && "followed", lit.led.has(place) && "led"];
  const href = addressOf({ corpus: doc.corpus, doc: link.title, answer });
  const hint = lit.led.has(place)
    ? "Followed: what was missing stands there"
    : lit.followed.has(place) && "Followed";
  const attributes = { href, class: lights.filter(Boolean).join(" ") || null, "aria-description": hint };
  return el("a", { ...attributes, "data-title": link.title, "data-corpus": doc.corpus }, texts);
}
