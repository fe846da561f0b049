// The way to an answer, drawn: context → link → window → answer.

import { el, svg } from "./dom.js";
import { placeOf } from "./marked-text.js";

const NODE = 62;
const GAP = { row: 12, column: 30, down: 14 };
const SIDE = 28;
const NARROW = 500;

// One row for every quote: the nodes that it passes through.
function rowsOf(answered) {
  const seen = new Set();
  const rows = [];
  for (const quote of answered.quotes) {
    const window = placeOf(quote.document, quote.section);
    const inContext = quote.document === answered.context && !quote.followed;
    const key = `${quote.followed ?? ""} ${window}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const link = quote.followed && linkText(answered, quote);
    rows.push({ window: inContext ? quote.text : window, link, inContext });
  }
  return rows.slice(0, 5);
}

const labelOf = ({ link, inContext }) =>
  inContext ? "In the context" : link ? "Read there" : "Found by search";

function linkText(answered, quote) {
  const place = quote.followed.join("-");
  for (const { stage, candidates } of answered.steps) {
    if (stage !== "spot") continue;
    const link = candidates.find(({ start, end }) => `${start}-${end}` === place);
    if (link) return link.text || link.title;
  }
  return quote.document;
}

export function pathDrawing(answered) {
  const rows = rowsOf(answered);
  if (!rows.length || !answered.context) return null;
  const figure = el("figure", { class: "path" });
  let drawn = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (!width || width === drawn) return;
    drawn = width;
    figure.replaceChildren(draw(answered, rows, width));
  }).observe(figure);
  return figure;
}

function draw(answered, rows, width) {
  const narrow = width < NARROW;
  const { nodes, edges, height } = narrow ? downwards(answered, rows, width) : across(answered, rows, width);
  const ways = rows.map(({ window, link }) =>
    link
      ? `from ${answered.context} by the link ${link} to ${window}`
      : `from ${answered.context} to ${window}`,
  );
  return svg(
    "svg",
    {
      role: "img",
      "aria-label": `The way to the answer: ${ways.join("; ")}; then ${answered.answer.text}.`,
      viewBox: `0 0 ${width} ${height}`,
    },
    svg(
      "defs",
      {},
      svg(
        "marker",
        { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        svg("path", { d: "M0 0L8 4L0 8z" }),
      ),
    ),
    edges.map(({ d, searched }) =>
      svg("path", { class: searched ? "edge searched" : "edge", d, "marker-end": "url(#tip)" }),
    ),
    nodes.map(({ x, y, wide, label, text, end }) =>
      svg(
        "g",
        { class: end ? "end" : null },
        svg("rect", { x, y, width: wide, height: NODE, rx: 9 }),
        svg(
          "foreignObject",
          { x, y, width: wide, height: NODE },
          el("div", { class: "node" }, el("small", {}, label), el("span", { class: "two-lines" }, text)),
        ),
      ),
    ),
  );
}

function across(answered, rows, width) {
  const columns = rows.some(({ link }) => link) ? 4 : 3;
  const wide = (width - 2 - GAP.column * (columns - 1)) / columns;
  const height = rows.length * NODE + (rows.length - 1) * GAP.row + 2;
  const middle = (height - NODE) / 2;
  const x = (column) => 1 + column * (wide + GAP.column);
  const nodes = [
    { x: x(0), y: middle, wide, label: "Context", text: answered.context },
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
  rows.forEach(({ window, link, inContext }, index) => {
    const y = 1 + index * (NODE + GAP.row);
    const label = labelOf({ link, inContext });
    const read = { x: x(columns - 2), y, wide, label, text: window };
    let from = nodes[0];
    if (link) {
      const step = { x: x(1), y, wide, label: "Link", text: link };
      nodes.push(step);
      edge(from, step, false);
      from = step;
    }
    nodes.push(read);
    edge(from, read, !link && !inContext);
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
    { x: 1, y: y(0), wide: width - 2, label: "Context", text: answered.context },
    ...rows.map((row, index) => ({
      x: SIDE,
      y: y(index + 1),
      wide: width - 2 * SIDE,
      label: row.link ? `By the link “${row.link}”` : labelOf(row),
      text: row.window,
    })),
    { x: 1, y: y(last), wide: width - 2, label: "Answer", text: answered.answer.text, end: true },
  ];
  const edges = rows.flatMap(({ link, inContext }, index) => {
    const middle = y(index + 1) + NODE / 2;
    return [
      { d: `M${left} ${y(0) + NODE}V${middle}H${SIDE - 1}`, searched: !link && !inContext },
      { d: `M${width - SIDE} ${middle}H${right}V${y(last) - 1}`, searched: false },
    ];
  });
  return { nodes, edges, height: y(last) + NODE + 1 };
}
