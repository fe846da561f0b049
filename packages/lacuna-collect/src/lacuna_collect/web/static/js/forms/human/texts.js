// What may be read: texts whose sentences can be marked, or any number of texts to look through.

import { el } from "/static/js/dom.js";
import { searchBox } from "../iirc/search.js";
import { select } from "../iirc/offsets.js";
import { useStyle } from "../iirc/fields.js";
import { paragraphs } from "../hotpotqa-paragraphs.js";

// Every sentence has a box; told(places) is called with [text, sentence] of those that are marked.
export function supportedTexts(texts, marked, told) {
  const places = new Map(marked.map(([text, part]) => [`${text} ${part}`, [text, part]]));
  const box = (text, part) => {
    const input = el("input", { type: "checkbox", "aria-label": `Sentence ${part + 1} of ${texts[text].title} supports the answer` });
    input.checked = places.has(`${text} ${part}`);
    input.addEventListener("change", () => {
      if (input.checked) places.set(`${text} ${part}`, [text, part]);
      else places.delete(`${text} ${part}`);
      told([...places.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    });
    return el("label", { class: "sentence-box" }, input, String(part + 1));
  };
  const item = { paragraphs: texts.map(({ title, parts }) => ({ title, sentences: parts })) };
  const node = paragraphs(item, box, "h3");
  node.classList.add("human-text");
  return { node, told: "Mark the sentences above that one must read to get to the answer, and no others." };
}

// Texts one below the other, the first one open, with a search over all of them.
export function readableTexts(texts) {
  useStyle();
  const spaced = texts.map(({ parts }) => parts.map((part) => `${part} `)); // hits show what is around them
  const boxes = spaced.map((parts) => el("div", { class: "human-text" }, ...parts.map((part) => el("p", { dir: "auto" }, part))));
  const folded = texts.map(({ title }, at) =>
    el("details", { class: "card", open: at === 0 }, el("summary", { dir: "auto" }, title), boxes[at]),
  );
  const sources = texts.map(({ title }, at) => ({ name: title, text: spaced[at].join("") }));
  const open = (at, start, end) => {
    folded[at].open = true;
    select(boxes[at], start, end);
    document.getSelection().anchorNode?.parentElement?.scrollIntoView({ block: "center" });
  };
  const search = texts.length > 1 ? el("div", { class: "iirc" }, searchBox("texts", sources, open)) : null;
  return { node: el("section", {}, search, ...folded), told: "" };
}
