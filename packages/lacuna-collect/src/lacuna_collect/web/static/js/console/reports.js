// What workers say is wrong with items.

import { get, part, post } from "../api.js";
import { button, called, fill, table, title, when } from "../parts.js";
import { subNav } from "./sub-nav.js";

export async function show(main, _, now) {
  const found = await get("console/reports");
  const settle = (one) => async () => {
    await post(`console/reports/${part(one.id)}/settle`);
    await show(main, _, now);
  };
  fill(
    main,
    title("Problems"),
    subNav(now),
    table(
      "Reported problems",
      ["Item", "Task", "By", "When", "What", ""],
      found.map((one) => [
        one.item_key,
        called(now, one.task),
        one.name,
        when(one.at),
        one.text,
        button("Dealt with", settle(one), { kind: "plain" }),
      ]),
      { empty: "No problems were reported." },
    ),
  );
}
