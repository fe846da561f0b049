// The console's first page: progress, throughput, agreement and cost.

import { el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { button, called, fill, money, table, title } from "../parts.js";
import { agreement } from "./agreement.js";
import { exportCard } from "./export.js";
import { columns, lines, shares } from "./plots.js";
import { subNav } from "./sub-nav.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LONG = 7 * DAY; // beyond it, an hour is too thin to be seen

// The sum at the end of every hour, from nothing on; the last hour may still run.
function added(pairs) {
  let sum = 0;
  const end = (at) => Math.max(at, Math.min(at + HOUR, Date.now()));
  return [[pairs[0][0], 0], ...pairs.map(([at, value]) => [end(at), (sum += value)])];
}

// Accepted sets of all tasks in each hour or day, those without any included.
function throughput(tasks) {
  const accepted = tasks.flatMap((task) => task.accepted_by_hour);
  const times = accepted.map(([at]) => at);
  const isLong = Math.max(...times) - Math.min(...times) > LONG;
  const step = isLong ? DAY : HOUR;
  const begin = (at) => (isLong ? new Date(at).setHours(0, 0, 0, 0) : Math.floor(at / HOUR) * HOUR);
  const sums = new Map();
  for (const [at, sets] of accepted) sums.set(begin(at), (sums.get(begin(at)) ?? 0) + sets);
  const points = [];
  const last = Math.max(...sums.keys());
  // A day that is an hour longer or shorter begins where its own midnight is.
  for (let at = Math.min(...sums.keys()); at <= last; at = begin(at + step * 1.1)) {
    points.push([at, sums.get(at) ?? 0]);
  }
  return columns(`Throughput: accepted sets ${isLong ? "a day" : "an hour"}`, points);
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
function dueBonuses(due, now, again) {
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
      due.map((one) => [one.name, called(now, one.task), money(one.cents), one.reason]),
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
      throughput(tasks),
      lines(
        "Cost",
        tasks
          .filter((task) => task.cents_by_hour.length)
          .map((task) => ({ name: task.title, points: added(task.cents_by_hour) })),
        (cents) => (cents % 100 ? money(cents) : `$${cents / 100}`),
      ),
      isRequester ? await exportCard(now.project) : null,
    ),
    agreement(found.agreement, now),
    dueBonuses(due, now, again),
  );
}
