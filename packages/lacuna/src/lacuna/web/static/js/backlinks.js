// The documents that link to a document, each with the sentence around its link.

import { getLinks } from "./api.js";
import { addressOf } from "./address.js";
import { count } from "./counts.js";
import { el } from "./dom.js";

// Looked up when it is opened: most readers do not.
export function backlinks({ corpus, title }, answer) {
  const list = el("ul");
  const summary = el("summary", {}, "What links here");
  const details = el("details", { class: "backlinks" }, summary, list);
  details.addEventListener("toggle", async () => {
    if (!details.open || list.childElementCount) return;
    try {
      const { back, back_total: total } = await getLinks(corpus, title);
      summary.textContent = `What links here: ${count(total, "document")}`;
      list.replaceChildren(...back.map((link) => entry(corpus, link, answer)));
    } catch (problem) {
      list.replaceChildren(el("li", { class: "problem", role: "alert" }, problem.message));
    }
  });
  return details;
}

function entry(corpus, { title, start, end, text }, answer) {
  const href = addressOf({ corpus, doc: title, at: { start, end }, answer });
  return el("li", {}, el("a", { href }, title), el("span", { dir: "auto" }, text));
}
