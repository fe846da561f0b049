// How likely each relation is by each line of knowledge: a table whose cells are shaded.

import { el } from "./dom.js";

const STEPS = 10;
const WRITTEN = 10; // percent from which on a cell shows its number; all of them say it

const KINDS = { sentence: "sentence", triple: "triple", "back-off": "back-off: the words alone" };

// choice: one of the answer's; relations: their names. The column of what fills its gap stands out.
export function heatMap(relations, choice) {
  const best = relations.indexOf(choice.gap?.relation); // -1 where nothing fills it
  const likeliest = choice.relations.indexOf(Math.max(...choice.relations));
  const rows = choice.lines.map((line) => row(relations, best, line.relations, lineHead(line)));
  const all = row(relations, best, choice.relations, "All lines together");
  const heads = relations.map((name, column) =>
    el("th", { scope: "col", class: column === best ? "best" : null, title: direction(name) }, el("span", {}, nameInWords(name))),
  );
  const caption = `How likely each relation between the key span and “${choice.text}” is, in percent, by each line of knowledge`;
  const table = el(
    "table",
    {},
    el("caption", { class: "unseen" }, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "corner" }, "Line of knowledge"), heads)),
    el("tbody", {}, rows),
    el("tfoot", {}, all),
  );
  const box = el("div", { class: "heat-box", tabindex: "0", role: "region", "aria-label": caption }, table);
  requestAnimationFrame(() => bringIntoSight(box, heads[best < 0 ? likeliest : best])); // once it is on the page
  return el("figure", { class: "heat" }, box, legend());
}

// Where the table is wider than its box: the column that matters, beside the words of the lines.
function bringIntoSight(box, head) {
  const words = box.querySelector(".corner").offsetWidth;
  box.scrollLeft = head.offsetLeft - words - (box.clientWidth - words - head.offsetWidth) / 2;
}

const INVERSE = "⁻¹";
export const isInverse = (name) => name.endsWith(INVERSE);
export const plainName = (name) => name.replace(INVERSE, "");
const nameInWords = (name) => (isInverse(name) ? `${plainName(name)}, reversed` : name);

export const direction = (name) =>
  `${plainName(name)}: from ${isInverse(name) ? "the choice to the key span" : "the key span to the choice"}`;

function lineHead({ text, kind, source }) {
  const from = source && kind !== "back-off" ? `${KINDS[kind]} · ${source}` : KINDS[kind];
  return [el("span", { class: "two-lines", title: text, dir: "auto" }, text), el("small", {}, from)];
}

function row(relations, best, likely, head) {
  const cells = likely.map((value, column) => {
    const percent = Math.round(100 * value);
    const shade = `shade-${Math.round(STEPS * value)}`;
    return el(
      "td",
      { class: column === best ? `${shade} best` : shade, title: `${nameInWords(relations[column])}: ${percent} %` },
      percent >= WRITTEN ? String(percent) : el("span", { class: "unseen" }, String(percent)),
    );
  });
  return el("tr", {}, el("th", { scope: "row" }, head), cells);
}

function legend() {
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => el("i", { class: `shade-${step}` }));
  return el(
    "figcaption",
    {},
    el("span", { class: "scale", "aria-hidden": "true" }, "0 ", shades, " 100 %"),
    el("span", {}, `A cell without a number is below ${WRITTEN} %. “Reversed” runs from the choice to the key span.`),
  );
}
