// A document above, what links to it on the left, what it links to on the right, and what else the answer
// was found in below, with all the links between them. One stop for the Tab key; the arrow keys move inside.

import { fitted, tip } from "./drawing.js";
import { el, svg } from "./dom.js";

const BOX = { high: 40, gap: 10, widest: 210 };
const CHANNEL = 44; // at least; the lines run between the columns
const TOP = { high: 48, gap: 46 };
const SIDES = { left: "Links here", right: "Linked from here" };

// middle, others: [{title, out, back, onWay, link}]; lines: [{source, target, lit, searched}].
export const graphDrawing = (middle, others, lines) => fitted("graph", (width) => draw(middle, others, lines, width));

function draw(middle, others, lines, width) {
  const nodes = laidOut(middle, others, width);
  const byTitle = new Map(nodes.map((node) => [node.title, node]));
  const drawable = lines.filter(({ source, target }) => byTitle.has(source) && byTitle.has(target)); // the rest is gone
  const height = Math.max(...nodes.map(({ y, high }) => y + high)) + 2;
  const heads = Object.entries(SIDES).map(([side, name]) => {
    const x = side === "left" ? columnWidth(width) / 2 : width - columnWidth(width) / 2;
    return svg("text", { x, y: TOP.high + TOP.gap - 10, "text-anchor": "middle" }, name);
  });
  const drawing = svg(
    "svg",
    { role: "group", "aria-label": `The documents around ${middle.title}. The arrow keys move.`, viewBox: `0 0 ${width} ${height}` },
    svg("defs", {}, tip("graph-tip"), tip("graph-tip-lit")),
    heads,
    drawable.map((line) => edge(line, byTitle.get(line.source), byTitle.get(line.target))),
    nodes.map(box),
  );
  moveWithKeys(drawing, nodes);
  const stressed = ({ type, target }) => stress(drawing, /in|over/.test(type) ? target.closest("a")?.dataset.title : null);
  // Not of the drawing: an svg that listens for focus is a stop for the Tab key.
  return el("div", { onfocusin: stressed, onfocusout: stressed, onpointerover: stressed, onpointerout: stressed }, drawing);
}

const columnWidth = (width) => Math.min(BOX.widest, (width - CHANNEL) / 2 - 1);

function laidOut(middle, others, width) {
  const wide = columnWidth(width);
  const x = { left: 1, right: width - wide - 1, below: (width - wide) / 2 };
  const rows = { left: 0, right: 0, below: 0 };
  const at = (row) => TOP.high + TOP.gap + row * (BOX.high + BOX.gap);
  const placed = (one, side) => ({ ...one, side, x: x[side], y: at(rows[side]++), wide, high: BOX.high });
  const left = others.filter(({ out, back }) => back && !out).map((one) => placed(one, "left"));
  const right = others.filter(({ out }) => out).map((one) => placed(one, "right"));
  rows.below = Math.max(rows.left, rows.right) + 0.5;
  const below = others.filter(({ out, back }) => !out && !back).map((one) => placed(one, "below"));
  const topWide = Math.min(1.4 * BOX.widest, width - 2);
  return [{ ...middle, side: "top", x: (width - topWide) / 2, y: 1, wide: topWide, high: TOP.high }, ...left, ...right, ...below];
}

// Where lines begin and end, and which way they set out: at the side that faces the channel.
function port({ x, y, wide, high, side }, bend) {
  const middle = x + wide / 2;
  if (side === "top") return [middle, y + high, middle, y + high + TOP.gap];
  if (side === "below") return [middle, y, middle, y - TOP.gap];
  const [edge, out] = side === "left" ? [x + wide, bend] : [x, -bend];
  return [edge, y + high / 2, edge + out, y + high / 2];
}

function edge({ source, target, lit, searched }, from, to) {
  const bend = CHANNEL * (from.side === to.side ? 0.8 : 0.6);
  const [x1, y1, x2, y2] = port(from, bend);
  const [x4, y4, x3, y3] = port(to, bend);
  const among = from.side !== "top" && to.side !== "top";
  return svg("path", {
    class: ["edge", lit && "lit", searched && "searched", among && "among"].filter(Boolean).join(" "),
    d: `M${x1} ${y1}C${x2} ${y2} ${x3} ${y3} ${x4} ${y4}`,
    "data-ends": JSON.stringify([source, target]),
    "marker-end": `url(#graph-tip${lit ? "-lit" : ""})`,
  });
}

function box({ x, y, wide, high, side, title, onWay, link }) {
  const node = el("a", { class: "node", tabindex: side === "top" ? "0" : "-1", ...link }, el("span", { class: "two-lines" }, title));
  return svg(
    "g",
    { class: `${side} ${onWay ? "on-way" : ""}` },
    svg("rect", { x, y, width: wide, height: high, rx: 9 }),
    svg("foreignObject", { x, y, width: wide, height: high }, node),
  );
}

// The links of the node that is pointed at or focused stand out.
function stress(drawing, title) {
  for (const line of drawing.querySelectorAll(".edge")) {
    line.classList.toggle("stressed", JSON.parse(line.dataset.ends).includes(title));
  }
}

function moveWithKeys(drawing, nodes) {
  const links = [...drawing.querySelectorAll("a")];
  drawing.addEventListener("keydown", (event) => {
    const at = nodes[links.indexOf(document.activeElement)];
    if (!at) return;
    const column = (side) => nodes.filter((node) => node.side === side);
    const row = column(at.side).indexOf(at);
    const beside = (side) => column(side)[Math.min(row, column(side).length - 1)];
    const next = {
      ArrowDown: at.side === "top" ? nodes[1] : (column(at.side)[row + 1] ?? column("below")[0]),
      ArrowUp: column(at.side)[row - 1] ?? nodes[0],
      ArrowLeft: beside("left"),
      ArrowRight: beside("right"),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    links.forEach((link, index) => (link.tabIndex = nodes[index] === next ? 0 : -1));
    links[nodes.indexOf(next)].focus();
  });
}
