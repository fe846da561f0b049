// Everybody, with the quality of their work.

import { el } from "/static/js/dom.js";
import { get } from "../api.js";
import { called, duration, fill, money, percent, table, title } from "../parts.js";
import { subNav } from "./sub-nav.js";

const link = (id, name) => el("a", { href: `/collect/console/workers/${id}` }, name);

export const qualityRow = (one) => [
  one.passed === null ? "–" : one.passed ? "passed" : "failed",
  percent(one.gold),
  String(one.accepted),
  String(one.states.waiting ?? 0),
  String(one.sent_back),
  percent(one.agreement),
  duration(one.median_seconds),
  money(one.cents),
];

export const QUALITY = ["Test", "Gold", "Accepted", "Waiting", "Sent back", "Agreement", "Median time", "Earned"];

export async function show(main, _, now) {
  const { people, quality } = await get("console/people");
  const state = (one) => (one.is_blocked ? "blocked" : one.unread ? `${one.unread} unread` : "");
  fill(
    main,
    title("People"),
    subNav(now),
    table(
      "People",
      ["Name", "Role", "From", ""],
      people.map((one) => [link(one.id, one.name), one.role, one.platform || "here", state(one)]),
    ),
    el("h2", { class: "section" }, "Quality of their work"),
    quality.length ? null : el("p", { class: "hint" }, "Nobody has begun yet."),
    [...new Set(quality.map((one) => one.task))].flatMap((task) => [
      el("h3", {}, called(now, task)),
      table(
        called(now, task),
        ["Name", ...QUALITY],
        quality.filter((one) => one.task === task).map((one) => [link(one.person, one.name), ...qualityRow(one)]),
      ),
    ]),
  );
}
