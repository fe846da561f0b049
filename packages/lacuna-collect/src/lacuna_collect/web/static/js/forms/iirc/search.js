// Searching all texts of a question at once.

import { el } from "/static/js/dom.js";
import { idOf } from "./fields.js";

const MOST = 30;
const AROUND = 50;

// Where the words stand in a text, in code points.
export function occurrences(text, wanted) {
  const found = [];
  const low = text.toLowerCase();
  // Lower case may change the length of a text; then only what is written the same is found.
  const [hay, needle] = low.length === text.length ? [low, wanted.toLowerCase()] : [text, wanted];
  let points = 0;
  let units = 0;
  for (let at = hay.indexOf(needle); at >= 0 && found.length < MOST; at = hay.indexOf(needle, at + needle.length)) {
    points += [...text.slice(units, at)].length;
    units = at;
    const written = text.slice(at, at + needle.length);
    found.push({
      start: points,
      end: points + [...written].length,
      before: text.slice(Math.max(0, at - AROUND), at),
      written,
      after: text.slice(at + needle.length, at + needle.length + AROUND),
    });
  }
  return found;
}

// sources: [{name, text}]; open(index, start, end) shows a hit.
export function searchBox(field, sources, open) {
  const hits = el("ul", { class: "hits" });
  const told = el("p", { class: "hint", role: "status" });
  const id = `${idOf(field)}-search`;
  const run = () => {
    const wanted = input.value.trim();
    if (wanted.length < 2) {
      hits.replaceChildren();
      told.textContent = "";
      return;
    }
    const found = sources.flatMap((source, index) =>
      occurrences(source.text, wanted).map((hit) => ({ ...hit, index, name: source.name })),
    );
    const count = found.length === 1 ? "1 place" : `${found.length} places`;
    told.textContent = found.length > MOST ? `More than ${MOST} places` : count;
    hits.replaceChildren(
      ...found.slice(0, MOST).map((hit) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "plain hit", onclick: () => open(hit.index, hit.start, hit.end) },
            el("strong", {}, hit.name),
            ` … ${hit.before}`,
            el("mark", {}, hit.written),
            `${hit.after} …`,
          ),
        ),
      ),
    );
  };
  const input = el("input", { type: "search", id, oninput: run });
  return el("div", { class: "field" }, el("label", { for: id }, "Search all texts"), input, told, hits);
}
