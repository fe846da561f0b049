// What waits for a reviewer, and samples of what was accepted unseen.

import { el } from "/static/js/dom.js";
import { get } from "../api.js";
import { button, called, duration, fill, table, title, when } from "../parts.js";
import { subNav } from "./sub-nav.js";

function list(now, caption, found, empty) {
  const state = (one) => (one.late ? (one.has_place ? "late" : "late, done by others") : "");
  return table(
    caption,
    ["Set", "Task", "By", "Handed in", "Time", ""],
    found.map((one) => [
      el("a", { href: `/collect/console/review/${one.submission}` }, `S${one.submission}`),
      called(now, one.task),
      one.name,
      when(one.at),
      duration(one.seconds),
      state(one),
    ]),
    { empty },
  );
}

export async function show(main, _, now) {
  const waiting = await get("console/queue");
  const drawn = el("div", {});
  const draw = async () => {
    fill(drawn, list(now, "Sample", await get("console/sample?count=10"), "All accepted work has been looked at."));
  };
  fill(
    main,
    title("Review"),
    subNav(now),
    list(now, "To review", waiting, "Nothing waits for a review."),
    el("h2", { class: "section" }, "Inspection"),
    el("p", { class: "hint" }, "Ten sets by chance of those that were accepted without a look."),
    el("p", { class: "buttons" }, button("Draw a sample", draw)),
    drawn,
  );
}
