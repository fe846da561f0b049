// The model in the loop, where a project has switched it on: it reads along, marked as what it is.

import { el } from "/static/js/dom.js";
import { part, post } from "../api.js";

export function modelInLoop(assigned) {
  if (!assigned.model_in_loop) return null;
  return {
    notice: el("p", { class: "note loop" }, "A model reads along here: it says what it can answer already."),
    ask: (work, which) => post(`work/${part(assigned.assignment)}/loop`, { work, part: which }),
  };
}
