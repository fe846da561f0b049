// The documents around a document: a drawing of them and their links, and the same as a list.

import { getGraph } from "./api.js";
import { addressOf } from "./address.js";
import { count } from "./counts.js";
import { el } from "./dom.js";
import { wayTo } from "./followed.js";
import { graphDrawing } from "./graph-drawing.js";

const MOST = 24;

export async function neighbourhood(corpus, title, answered) {
  const way = answerWay(answered);
  const onWay = new Set([answered?.context, ...way.flatMap(({ source, target }) => [source, target])].filter(Boolean));
  const { documents, links, left_out: more } = await getGraph(corpus, title, [...onWay], MOST);
  const leads = new Set(links.map(keyOf));
  const [middle, ...others] = documents.map((one) => ({
    title: one.title,
    out: leads.has(keyOf({ source: title, target: one.title })),
    back: leads.has(keyOf({ source: one.title, target: title })),
    onWay: onWay.has(one.title),
    link: { href: addressOf({ corpus, doc: one.title, answer: answered?.id }), "data-title": one.title, "data-corpus": corpus },
  }));
  others.sort((one, other) => other.onWay - one.onWay); // the way first, all else as it was
  const lines = [...new Map([...links, ...way].map((line) => [keyOf(line), line])).values()];
  lines.sort((one, other) => Boolean(one.lit) - Boolean(other.lit)); // what is highlighted lies on top
  const told = [`${count(others.length, "document")}${more ? `, and ${more.toLocaleString("en")} more that are not shown` : ""}.`];
  if (onWay.size) told.push("The way to the answer is highlighted.");
  if (way.some(({ searched }) => searched)) told.push("Where a search found the next document, it is dashed.");
  if (!others.length) return el("p", { class: "neighbourhood" }, "No link leads from here or to here.");
  return el(
    "div",
    { class: "neighbourhood" },
    graphDrawing(middle, others, lines),
    el("section", { "aria-label": "The same as a list" }, el("p", {}, told.join(" ")), el("ul", {}, others.map(entry))),
  );
}

const keyOf = ({ source, target }) => JSON.stringify([source, target]);

// From the context to every document that the answer was read in; where no link led on, by a search.
function answerWay(answered) {
  return (answered?.quotes ?? []).flatMap((quote) => {
    const steps = wayTo(answered, quote).map(({ source, title }) => ({ source, target: title, lit: true }));
    const first = steps[0]?.source ?? quote.document;
    const { context } = answered;
    return first === context ? steps : [{ source: context, target: first, lit: true, searched: true }, ...steps];
  });
}

function entry({ title, out, back, onWay, link }) {
  const how = out ? (back ? "linked both ways" : "it is linked from here") : back ? "it links here" : "no link between the two";
  return el(
    "li",
    { class: onWay ? "on-way" : null },
    el("a", link, title),
    el("small", {}, onWay ? `${how}; on the way to the answer` : how),
  );
}
