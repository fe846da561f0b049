// What is shown when work was handed in: the receipt, and where to go from here.

import { el } from "/static/js/dom.js";
import { part, post } from "../api.js";
import { button, fill, go, money, note, title } from "../parts.js";

// The way back to a crowd's platform: a form that a button posts there, or a code.
export function wayBack(completion) {
  if (!completion) return [];
  if (completion.action) {
    const inputs = Object.entries(completion.fields).map(([name, value]) =>
      el("input", { type: "hidden", name, value }),
    );
    const form = el("form", { method: "post", action: completion.action }, ...inputs);
    form.append(el("button", { class: "primary", type: "submit" }, "Hand it in at Mechanical Turk"));
    return [note("One step is left: tell Mechanical Turk that you are done."), form];
  }
  return [
    note("One step is left: tell Prolific that you are done."),
    el("p", {}, "Your completion code: ", el("code", { class: "code" }, completion.code)),
    el("p", {}, el("a", { class: "as-button", href: completion.address }, "Back to Prolific")),
  ];
}

function pay(assigned, got) {
  if (!assigned.pay_cents || assigned.is_test) return null;
  const earned = got.state === "accepted" ? "for it." : "for it once it is accepted.";
  return el("p", { class: "facts" }, `${money(assigned.pay_cents)} ${earned}`);
}

export function showReceipt(main, assigned, got) {
  const told = el("div", {});
  const next = async () => {
    const found = await post(`tasks/${part(assigned.task)}/next`);
    if (found.assignment) go(`/collect/work/${found.assignment}`);
    else if (found.reason === "live") go(`/collect/live/${part(assigned.task)}`);
    else fill(told, note(found.message));
  };
  const refuse = (error) => fill(told, note(error.message, "problem"));
  fill(
    main,
    title(got.late ? "Handed in late" : "Handed in"),
    el(
      "div",
      { class: "card" },
      el("p", {}, got.message),
      pay(assigned, got),
      el("p", { class: "hint" }, `Receipt: ${got.receipt}`),
      ...wayBack(got.completion),
    ),
    el(
      "p",
      { class: "buttons" },
      got.completion ? null : button("Next", next, { kind: "primary", told: refuse }),
      el("a", { class: "as-button", href: "/collect/" }, "To the list of tasks"),
    ),
    told,
  );
  main.focus();
}
