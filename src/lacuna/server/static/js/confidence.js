// How sure an answer is, as a bar and in words.

import { el } from "./dom.js";

export function confidence(sure) {
  if (sure === null) return null;
  return el(
    "span",
    { class: "sure" },
    el("meter", { min: 0, max: 1, value: sure, "aria-hidden": "true" }),
    `${Math.round(100 * sure)} % confident`,
  );
}
