// Cut a text at the edges of all its layers (links, quotes, marks), which may overlap.

// The server counts Unicode code points, JavaScript counts UTF-16 units; this stands between.
export const codePoints = (text) => [...text].length;

export class Points {
  constructor(text) {
    this.text = text;
    // Where every code point begins; only needed if some take two units.
    this.begins = /[\u{10000}-\u{10ffff}]/u.test(text) ? beginnings(text) : null;
  }

  slice(start, end) {
    if (!this.begins) return this.text.slice(start, end);
    const last = this.begins.length - 1;
    return this.text.slice(this.begins[Math.min(start, last)], this.begins[Math.min(end, last)]);
  }

  get length() {
    return this.begins ? this.begins.length - 1 : this.text.length;
  }
}

function beginnings(text) {
  const begins = [0];
  for (const point of text) begins.push(begins.at(-1) + point.length);
  return begins;
}

// layers: [{start, end, …}]; gives [{text, start, in: [layers]}] in the text's order.
export function pieces(points, start, end, layers) {
  const inside = layers.filter((layer) => layer.start < end && layer.end > start);
  const edges = new Set([start, end]);
  for (const layer of inside) {
    edges.add(Math.max(start, layer.start));
    edges.add(Math.min(end, layer.end));
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1];
    return {
      text: points.slice(from, to),
      start: from,
      in: inside.filter((layer) => layer.start <= from && layer.end >= to),
    };
  });
}
