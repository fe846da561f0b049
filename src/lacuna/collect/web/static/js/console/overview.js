// The console's first page: progress, throughput, agreement and cost.

import { el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { button, fill, money, percent, table, title } from "../parts.js";
import { columns, lines, shares } from "./plots.js";
import { subNav } from "./sub-nav.js";

const HOUR = 3_600_000;
// What agreement says beside shares: on how much it was found.
const COUNTS = /(questions|items|sets|pairs|people|count|reviewed)$/;

// The sum at the end of every hour, from nothing on.
function added(pairs) {
  let sum = 0;
  return [[pairs[0][0], 0], ...pairs.map(([at, value]) => [at + HOUR, (sum += value)])];
}

// Over all tasks: how much there was in each hour.
function together(tasks, name) {
  const hours = new Map();
  for (const task of tasks) {
    for (const [at, value] of task[name]) hours.set(at, (hours.get(at) ?? 0) + value);
  }
  return [...hours].sort(([one], [other]) => one - other);
}

// Agreement is as deep as the dataset makes it: each number with the names that lead to it.
function numbers(value, path = []) {
  if (typeof value === "number") return [[path.join(" · "), value]];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, below]) => numbers(below, [...path, name]));
}

function taskRow(task, now, again) {
  const turn = async () => {
    await post(`console/tasks/${part(task.task)}/pause`, { paused: !task.paused });
    await again();
  };
  const rate = task.dollars_per_hour === null ? "–" : `$${task.dollars_per_hour.toFixed(2)}`;
  return [
    task.title,
    `${task.accepted} of ${task.wanted}`,
    String(task.states.waiting ?? 0),
    String((task.states.open ?? 0) + (task.states.returned ?? 0)),
    `${task.qualified} passed, ${task.failed} not`,
    money(task.pay_cents + task.bonus_cents),
    rate,
    now.person.role === "requester" ? button(task.paused ? "Go on" : "Pause", turn, { kind: "plain" }) : "",
  ];
}

// Bonuses by a task's own rules; none where no task has any, or all were entered.
function dueBonuses(due, again) {
  if (!due.length) return null;
  const enter = async () => {
    await post("console/bonuses");
    await again();
  };
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Bonuses that are due"),
    table(
      "Bonuses that are due",
      ["Worker", "Task", "Bonus", "For"],
      due.map((one) => [one.name, one.task, money(one.cents), one.reason]),
    ),
    el("p", { class: "buttons" }, button("Enter them in the ledger", enter)),
  );
}

export async function show(main, _, now) {
  const again = () => show(main, _, now);
  const found = await get("console/overview");
  const isRequester = now.person.role === "requester";
  const due = isRequester ? await get("console/bonuses") : [];
  const { tasks } = found;
  const fact = (name, value, href) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, href ? el("a", { href }, value) : value));
  const cents = tasks.reduce((sum, task) => sum + task.pay_cents + task.bonus_cents, 0);
  const agreed = numbers(found.agreement);
  const parts = agreed.filter(([name, value]) => !COUNTS.test(name) && value >= -1 && value <= 1);
  fill(
    main,
    title(now.project),
    subNav(now),
    el(
      "dl",
      { class: "numbers" },
      fact("Accepted sets", String(tasks.reduce((sum, task) => sum + task.accepted, 0))),
      fact("To review", String(found.waiting), "/collect/console/queue"),
      fact("Problems", String(found.reports), "/collect/console/reports"),
      fact("Unread messages", String(found.unread), "/collect/console/workers"),
      fact("Cost", money(cents)),
    ),
    table(
      "Tasks",
      ["Task", "Accepted", "To review", "Being done", "Test", "Cost", "$ / hour", ""],
      tasks.map((task) => taskRow(task, now, again)),
    ),
    el(
      "div",
      { class: "plots" },
      shares(
        "Progress",
        tasks.map((task) => ({
          name: task.title,
          value: task.accepted,
          of: task.wanted,
          text: `${task.accepted} of ${task.wanted}`,
        })),
      ),
      columns("Throughput: accepted sets an hour", together(tasks, "accepted_by_hour")),
      lines(
        "Cost",
        tasks
          .filter((task) => task.cents_by_hour.length)
          .map((task) => ({ name: task.title, points: added(task.cents_by_hour) })),
        (value) => money(value),
      ),
      shares("Agreement", parts.map(([name, value]) => ({ name, value, of: 1, text: percent(value) }))),
    ),
    dueBonuses(due, again),
    isRequester
      ? el(
          "p",
          { class: "buttons" },
          el("a", { class: "as-button", href: "/collect/api/console/export", download: "" }, "Export the dataset"),
        )
      : null,
  );
}
