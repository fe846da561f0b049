// What a worker has earned, and what is still being looked at.

import { el } from "/static/js/dom.js";
import { get } from "../api.js";
import { called, duration, fill, money, table, title, when } from "../parts.js";

export async function show(main, _, now) {
  const earned = await get("earnings");
  const rate = earned.cents_per_hour === null ? "–" : `${money(earned.cents_per_hour)} an hour`;
  const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  fill(
    main,
    title("Earnings"),
    el(
      "dl",
      { class: "numbers" },
      fact("Earned", money(earned.total_cents)),
      fact("Waiting for review", money(earned.waiting_cents)),
      fact("Time spent", duration(earned.seconds)),
      fact("That is", rate),
    ),
    table(
      "What was earned",
      ["When", "For", "What", "How much"],
      earned.entries.map((one) => [when(one.at), called(now, one.task), one.note || one.kind, money(one.cents)]),
      { empty: "Nothing yet: a set is paid when it is accepted." },
    ),
  );
}
