// The list of tasks: what each pays, what is open, and where one stands.

import { el } from "/static/js/dom.js";
import { get, part } from "../api.js";
import { duration, fill, money, title } from "../parts.js";
import { wayBack } from "../work/after.js";

function state(task) {
  if (task.resume) return "You have begun a set.";
  if (task.closed) return task.closed;
  if (task.needs_test) return "A short test comes first.";
  return task.open ? `Open for you: ${task.open}` : "Nothing is waiting; begin to see whether there is more.";
}

function card(task) {
  const to = task.resume ? `/collect/work/${task.resume}` : `/collect/tasks/${part(task.name)}`;
  const action = task.resume ? "Go on" : "Read the instructions";
  return el(
    "li",
    { class: "card task-card" },
    el("h2", {}, el("a", { href: to }, task.title)),
    el(
      "p",
      { class: "facts" },
      el("strong", {}, `${money(task.pay_cents)} ${task.is_live ? "a question on average" : "a set"}`),
      task.is_live ? " · with a partner, live" : ` · ${duration(task.minutes * 60)} for each`,
      ` · done by you: ${task.done}`,
    ),
    el("p", { class: task.resume ? "note" : "hint" }, state(task)),
    el("p", {}, el("a", { class: "as-button", href: to }, action)),
  );
}

export async function show(main, _, now) {
  const tasks = await get("tasks");
  fill(
    main,
    title("Tasks", el("p", { class: "hint" }, now.project)),
    now.completion ? el("div", { class: "card" }, ...wayBack(now.completion)) : null,
    el("ul", { class: "cards" }, ...tasks.map(card)),
  );
}
