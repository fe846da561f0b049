// Plots as SVG, each with its numbers as a table for whoever cannot see it.

import { el, svg } from "/static/js/dom.js";
import { table } from "../parts.js";

const WIDTH = 460;
const HEIGHT = 190;
const LEFT = 56;
const BOTTOM = 22;

function figure(caption, drawing, heads, rows, legend = null) {
  const numbers = el("details", { class: "data" }, el("summary", {}, "The numbers"), table(caption, heads, rows));
  return el(
    "figure",
    { class: "plot card" },
    el("figcaption", {}, caption),
    rows.length ? drawing : el("p", { class: "hint" }, "Nothing yet."),
    legend,
    rows.length ? numbers : null,
  );
}

// A round number at or above the largest one, whose half is whole: sets and cents have no parts.
function roundUp(value) {
  if (!(value > 2)) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return [2, 4, 6, 10, 20].map((step) => step * power).find((step) => step >= value);
}

function axes(top, format) {
  const y = (share) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 8);
  return [0, 0.5, 1].map((share) =>
    svg(
      "g",
      {},
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: y(share), y2: y(share) }),
      svg("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, format(top * share)),
    ),
  );
}

const label = (time) =>
  new Date(time).toLocaleString([], { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

// Lines over time: series is [{name, points: [[time, value], …]}].
export function lines(caption, series, format = String) {
  const points = series.flatMap((one) => one.points);
  const times = points.map(([time]) => time);
  const first = Math.min(...times);
  const span = Math.max(Math.max(...times) - first, 1);
  const top = roundUp(Math.max(...points.map(([, value]) => value)));
  const x = (time) => LEFT + ((time - first) / span) * (WIDTH - LEFT - 8);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - 8);
  const paths = series.map((one, at) => {
    const drawn = one.points.map(([time, value], n) => `${n ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`);
    return svg("path", { class: `line series-${at % 3}`, d: drawn.join("") });
  });
  const drawing = points.length
    ? svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": caption },
        ...axes(top, format),
        ...paths,
        svg("text", { x: LEFT, y: HEIGHT - 4 }, label(first)),
        svg("text", { x: WIDTH, y: HEIGHT - 4, "text-anchor": "end" }, label(first + span)),
      )
    : null;
  const rows = series.flatMap((one) => one.points.map(([time, value]) => [label(time), one.name, format(value)]));
  return figure(caption, drawing, ["When", "What", "How much"], rows.slice(-50), legend(series));
}

function legend(series) {
  if (series.length < 2) return null;
  const entry = (one, at) =>
    el(
      "span",
      {},
      svg("svg", { viewBox: "0 0 14 5", "aria-hidden": "true" }, svg("path", { class: `series-${at % 3}`, d: "M0 2.5H14" })),
      one.name,
    );
  return el("p", { class: "legend" }, ...series.map(entry));
}

// Columns over time: [[time, value], …].
export function columns(caption, points, format = String) {
  const top = roundUp(Math.max(0, ...points.map(([, value]) => value)));
  const step = (WIDTH - LEFT) / Math.max(points.length, 1);
  const bars = points.map(([, value], at) => {
    const height = (value / top) * (HEIGHT - BOTTOM - 8);
    const width = Math.max(Math.min(step - 2, 40), 1);
    return svg("rect", { class: "bar-front", x: LEFT + at * step + 1, y: HEIGHT - BOTTOM - height, width, height, rx: 2 });
  });
  const drawing = points.length
    ? svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": caption },
        ...axes(top, format),
        ...bars,
        svg("text", { x: LEFT, y: HEIGHT - 4 }, label(points[0][0])),
        points.length > 1
          ? svg("text", { x: WIDTH, y: HEIGHT - 4, "text-anchor": "end" }, label(points.at(-1)[0]))
          : null,
      )
    : null;
  return figure(caption, drawing, ["When", "How much"], points.map(([time, value]) => [label(time), format(value)]));
}

// Shares of a whole, one bar a line: [{name, value, of, text}].
export function shares(caption, entries) {
  const line = 34;
  const drawn = entries.flatMap((one, at) => {
    const part = one.of ? Math.max(0, Math.min(one.value / one.of, 1)) : 0;
    const y = at * line;
    return [
      svg("text", { class: "value", x: 0, y: y + 12 }, one.name),
      svg("text", { class: "value", x: WIDTH, y: y + 12, "text-anchor": "end" }, one.text),
      svg("rect", { class: "bar-back", x: 0, y: y + 17, width: WIDTH, height: 8, rx: 4 }),
      svg("rect", { class: "bar-front", x: 0, y: y + 17, width: part * WIDTH, height: 8, rx: 4 }),
    ];
  });
  const size = `0 0 ${WIDTH} ${Math.max(entries.length, 1) * line}`;
  const drawing = svg("svg", { viewBox: size, role: "img", "aria-label": caption }, ...drawn);
  return figure(caption, drawing, ["What", "How much"], entries.map((one) => [one.name, one.text]));
}
