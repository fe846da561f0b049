// The blocks of a document as what they are: headings, paragraphs, lists, code and tables.

import { el } from "./dom.js";

const TITLE = 2; // the level of the document's own title on the page
const DEEPEST = 6;

// words: what shows a stretch of the text; textOf: its plain letters.
export function blockElements(blocks, words, textOf) {
  const shown = [];
  const above = []; // the levels of the headings that the next one stands under
  let lists = []; // the lists that the next item may stand in, the outermost first
  let quote = null;
  for (const block of blocks) {
    if (!block.quoted) quote = null;
    else if (!quote) {
      quote = el("blockquote");
      shown.push(quote);
      lists = [];
    }
    const put = (node) => (block.quoted ? quote.append(node) : shown.push(node));
    const item = block.continues && lists.at(-1)?.lastElementChild;
    if (item) item.append(element(block, words, textOf));
    else if (block.kind === "item") addItem(block, words(block), lists, put);
    else {
      lists = [];
      put(block.kind === "heading" ? heading(block, words, above) : element(block, words, textOf));
    }
  }
  return shown;
}

// A page goes from one level of heading to the next, whatever a document leaves out.
function heading(block, words, above) {
  while (above.length && above.at(-1) >= block.level) above.pop();
  above.push(block.level);
  return el(`h${Math.min(TITLE + above.length, DEEPEST)}`, {}, words(block));
}

function element(block, words, textOf) {
  // What is wider than the page scrolls, so it must be reached with keys too.
  if (block.kind === "code") return el("pre", { tabindex: "0", role: "group", "aria-label": "Code" }, el("code", {}, words(block)));
  if (block.kind === "table") return table(block.rows, words, textOf);
  return el("p", {}, words(block));
}

function addItem(block, content, lists, put) {
  const depth = Math.max(block.level, 1);
  lists.splice(depth);
  const tag = block.number === null ? "ul" : "ol";
  if (lists.length === depth && lists.at(-1).localName !== tag) lists.pop();
  while (lists.length < depth) {
    const isInnermost = lists.length === depth - 1;
    const list = el(isInnermost ? tag : "ul", isInnermost && block.number > 1 ? { start: block.number } : {});
    if (!lists.length) put(list);
    else {
      if (!lists.at(-1).lastElementChild) lists.at(-1).append(el("li"));
      lists.at(-1).lastElementChild.append(list);
    }
    lists.push(list);
  }
  lists.at(-1).append(el("li", {}, content));
}

// Each row of the text says the headings of its columns again; the table says them once.
function table(rows, words, textOf) {
  const labels = [...new Set(rows.flatMap(({ cells }) => cells.map(({ label }) => label && textOf(label))))];
  const labelled = labels.length > 0 && !labels.includes(null);
  const width = Math.max(1, ...rows.map(({ cells }) => cells.length), labelled ? labels.length : 0);
  const body = rows.map((row) => {
    if (!row.cells.length) return el("tr", {}, el("td", { colspan: width }, words(row)));
    if (!labelled) return el("tr", {}, row.cells.map((cell) => el("td", {}, words(cell))));
    const byLabel = new Map(row.cells.map((cell) => [textOf(cell.label), cell]));
    return el("tr", {}, labels.map((label) => el("td", {}, byLabel.has(label) ? words(byLabel.get(label)) : [])));
  });
  const head = labelled && el("thead", {}, el("tr", {}, labels.map((label) => el("th", { scope: "col" }, label))));
  return el(
    "div",
    { class: "table-box", tabindex: "0", role: "group", "aria-label": "Table" },
    el("table", {}, ...(head ? [head] : []), el("tbody", {}, body)),
  );
}
