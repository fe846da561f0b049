// One task: its instructions, and the way in.

import { el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { button, duration, fill, go, money, note, title } from "../parts.js";

export async function show(main, name) {
  const task = (await get("tasks")).find((one) => one.name === name);
  if (!task) throw new Error("There is no such task here.");
  const told = el("div", {});
  const begin = async () => {
    const got = await post(`tasks/${part(name)}/next`);
    if (got.assignment) go(`/collect/work/${got.assignment}`);
    else if (got.reason === "live") go(`/collect/live/${part(name)}`);
    else told.replaceChildren(note(got.message));
  };
  const refuse = (error) => told.replaceChildren(note(error.message, "problem"));
  const label = task.resume ? "Go on" : task.needs_test ? "Begin the test" : "Begin";
  const facts = task.is_live
    ? [el("strong", {}, `${money(task.pay_cents)} a question on average`), ", more the longer a dialog lasts"]
    : [
        el("strong", {}, `${money(task.pay_cents)} for each accepted set`),
        ` · ${duration(task.minutes * 60)} without a save, and it goes to somebody else`,
      ];
  if (task.model_in_loop) facts.push(" · a model reads along and says what it can answer already");
  const instructions = document.getElementById("instructions");
  const text = el("article", { class: "card instructions" });
  text.append(...instructions.childNodes);
  fill(
    main,
    title(task.title, el("p", { class: "facts" }, ...facts)),
    text,
    task.needs_test
      ? el("p", { class: "note" }, "First comes a short test, so that you can see whether this work is for you.")
      : null,
    el("p", { class: "buttons" }, button(label, begin, { kind: "primary", told: refuse })),
    told,
  );
}
