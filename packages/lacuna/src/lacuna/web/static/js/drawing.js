// What drawings share: they are drawn anew when their width changes, and their lines have tips.

import { el, svg } from "./dom.js";

export function fitted(name, draw) {
  const figure = el("figure", { class: name });
  let drawn = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (!width || width === drawn) return;
    drawn = width;
    figure.replaceChildren(draw(width));
  }).observe(figure);
  return figure;
}

export const tip = (id) =>
  svg(
    "marker",
    { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" },
    svg("path", { d: "M0 0L8 4L0 8z" }),
  );
