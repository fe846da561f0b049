// The way to an answer, drawn: context → link → window → answer.

import { addressOf } from "./address.js";
import { quoteAddress } from "./citations.js";
import { fitted, tip } from "./drawing.js";
import { el, svg } from "./dom.js";
import { wayTo } from "./followed.js";
import { placeOf } from "./marked-text.js";

const NODE = 62;
const GAP = { row: 12, column: 30, down: 14 };
const SIDE = 28;
const NARROW = 500;

// One row for every quote: the nodes that it passes through, each with where it leads.
function rowsOf(answered) {
  const seen = new Set();
  const rows = [];
  for (const quote of answered.quotes) {
    const window = placeOf(quote.document, quote.section);
    const inContext = quote.document === answered.context && !quote.followed;
    const key = `${quote.followed ?? ""} ${window}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const way = wayTo(answered, quote);
    rows.push({
      window: inContext ? quote.text : window,
      href: quoteAddress(answered, quote),
      link: way.length ? linkNode(answered, way.at(-1)) : null,
      searched: !inContext && way[0]?.source !== answered.context,
      inContext,
    });
  }
  return rows.slice(0, 5);
}

// The last link before the window; it may stand in a document that was found on the way.
function linkNode(answered, { source, start, end, title }) {
  const href = addressOf({ corpus: answered.corpus, doc: source, at: { start, end }, answer: answered.id });
  return { text: title, label: source === answered.context ? "Link" : `Link in ${source}`, href };
}

const labelOf = ({ link, inContext }) =>
  inContext ? "In the context" : link ? "Read there" : "Found by search";

export function pathDrawing(answered) {
  const rows = rowsOf(answered);
  if (!rows.length || !answered.context) return null;
  return fitted("path", (width) => draw(answered, rows, width));
}

function draw(answered, rows, width) {
  const narrow = width < NARROW;
  const { nodes, edges, height } = narrow ? downwards(answered, rows, width) : across(answered, rows, width);
  const ways = rows.map(({ window, link }) =>
    link
      ? `from ${answered.context} by the link ${link.text} to ${window}`
      : `from ${answered.context} to ${window}`,
  );
  return svg(
    "svg",
    {
      role: "group",
      "aria-label": `The way to the answer: ${ways.join("; ")}; then ${answered.answer.text}.`,
      viewBox: `0 0 ${width} ${height}`,
    },
    svg("defs", {}, tip("tip")),
    edges.map(({ d, searched }) =>
      svg("path", { class: searched ? "edge searched" : "edge", d, "marker-end": "url(#tip)" }),
    ),
    nodes.map(({ x, y, wide, label, text, href, end }) =>
      svg(
        "g",
        { class: end ? "end" : null },
        svg("rect", { x, y, width: wide, height: NODE, rx: 9 }),
        svg(
          "foreignObject",
          { x, y, width: wide, height: NODE },
          el(href ? "a" : "div", { class: "node", href }, el("small", {}, label), el("span", { class: "two-lines" }, text)),
        ),
      ),
    ),
  );
}

const contextNode = ({ corpus, context, id }) => ({
  label: "Context",
  text: context,
  href: addressOf({ corpus, doc: context, answer: id }),
});

function across(answered, rows, width) {
  const columns = rows.some(({ link }) => link) ? 4 : 3;
  const wide = (width - 2 - GAP.column * (columns - 1)) / columns;
  const height = rows.length * NODE + (rows.length - 1) * GAP.row + 2;
  const middle = (height - NODE) / 2;
  const x = (column) => 1 + column * (wide + GAP.column);
  const nodes = [
    { x: x(0), y: middle, wide, ...contextNode(answered) },
    { x: x(columns - 1), y: middle, wide, label: "Answer", text: answered.answer.text, end: true },
  ];
  const edges = [];
  const edge = (from, to, searched) => {
    const [x1, y1] = [from.x + wide, from.y + NODE / 2];
    const [x2, y2] = [to.x - 1, to.y + NODE / 2];
    const bend = GAP.column / 2;
    const d = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    edges.push({ d, searched });
  };
  rows.forEach((row, index) => {
    const y = 1 + index * (NODE + GAP.row);
    const read = { x: x(columns - 2), y, wide, label: labelOf(row), text: row.window, href: row.href };
    let from = nodes[0];
    if (row.link) {
      const step = { x: x(1), y, wide, ...row.link };
      nodes.push(step);
      edge(from, step, row.searched);
      from = step;
    }
    nodes.push(read);
    edge(from, read, row.searched && !row.link);
    edge(read, nodes[1], false);
  });
  return { nodes, edges, height };
}

// On a narrow page one below the other: down on the left to each window, on the right to the answer.
function downwards(answered, rows, width) {
  const y = (row) => 1 + row * (NODE + GAP.down);
  const last = rows.length + 1;
  const [left, right] = [SIDE / 2, width - SIDE / 2];
  const nodes = [
    { x: 1, y: y(0), wide: width - 2, ...contextNode(answered) },
    ...rows.map((row, index) => ({
      x: SIDE,
      y: y(index + 1),
      wide: width - 2 * SIDE,
      label: row.link ? `${row.link.label} “${row.link.text}”` : labelOf(row),
      text: row.window,
      href: row.href,
    })),
    { x: 1, y: y(last), wide: width - 2, label: "Answer", text: answered.answer.text, end: true },
  ];
  const edges = rows.flatMap(({ searched }, index) => {
    const middle = y(index + 1) + NODE / 2;
    return [
      { d: `M${left} ${y(0) + NODE}V${middle}H${SIDE - 1}`, searched },
      { d: `M${width - SIDE} ${middle}H${right}V${y(last) - 1}`, searched: false },
    ];
  });
  return { nodes, edges, height: y(last) + NODE + 1 };
}
