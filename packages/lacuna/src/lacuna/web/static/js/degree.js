// Beside an answer that is less sure than was asked for: "Probably", and what that means.

import { el } from "./dom.js";

const MEANING =
  "This is the likeliest answer, but it is less sure than was asked for. Look at its evidence " +
  "before you rely on it.";

export function degree(answered) {
  if (answered.degree !== "probable") return null;
  return el(
    "details",
    { class: "degree" },
    el("summary", { title: MEANING }, "Probably", el("span", { class: "why", "aria-hidden": "true" }, "?")),
    el("p", {}, MEANING),
  );
}
