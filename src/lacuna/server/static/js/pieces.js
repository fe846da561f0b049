// Cut a text at the edges of all its layers (links, quotes, marks), which may overlap.

// layers: [{start, end, …}]; gives [{text, start, in: [layers]}] in the text's order.
export function pieces(points, start, end, layers) {
  const inside = layers.filter((layer) => layer.start < end && layer.end > start);
  const edges = new Set([start, end]);
  for (const layer of inside) {
    edges.add(Math.max(start, layer.start));
    edges.add(Math.min(end, layer.end));
  }
  const sorted = [...edges].sort((one, other) => one - other);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1];
    return {
      text: points.slice(from, to),
      start: from,
      in: inside.filter((layer) => layer.start <= from && layer.end >= to),
    };
  });
}
