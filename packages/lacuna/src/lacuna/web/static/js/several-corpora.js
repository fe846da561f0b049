// Several corpora, to be asked together.

import { count } from "./counts.js";
import { el } from "./dom.js";

// onAsk(ids): those that were chosen, two at least.
export function severalAtOnce(corpora, onAsk) {
  if (corpora.length < 2) return [];
  const said = el("p", { class: "problem", role: "alert" });
  const boxes = corpora.map(({ id }) => el("input", { type: "checkbox", value: id }));
  const submit = (event) => {
    event.preventDefault();
    const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    said.textContent = chosen.length < 2 ? "Choose two of them at least." : "";
    if (chosen.length > 1) onAsk(chosen);
  };
  return [
    el(
      "details",
      { class: "several" },
      el("summary", {}, "Ask several together"),
      el("p", {}, "A copy of them, as they are now, is made for you: links lead from one to another, and each quote says where it is from."),
      el(
        "form",
        { onsubmit: submit, onchange: () => (said.textContent = "") },
        corpora.map(({ name, documents }, place) => el("label", {}, boxes[place], ` ${name}, ${count(documents, "document")}`)),
        el("button", { class: "quiet" }, "Ask these together"),
        said,
      ),
    ),
  ];
}
