// One person: quality, messages, bonus, blocking.

import { el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { conversation } from "../pages/messages.js";
import { ask, button, called, duration, field, fill, money, note, sure, table, title } from "../parts.js";
import { subNav } from "./sub-nav.js";
import { QUALITY, qualityRow } from "./workers.js";

// Whatever the test says: one may have seen somebody's work elsewhere.
function qualificationForm(now, at, tasks, quality, again) {
  const set = (task, passed) => async () => {
    await post(`${at}/qualification`, { task, passed });
    await again();
  };
  const rows = tasks.map((task) => {
    const passed = quality.find((one) => one.task === task)?.passed ?? null;
    const says = passed === null ? "not yet" : passed ? "may work" : "may not work";
    return el(
      "div",
      { class: "field" },
      el("p", {}, el("strong", {}, called(now, task)), ` · ${says}`),
      el(
        "p",
        { class: "buttons" },
        passed === true ? null : button("Let work without the test", set(task, true)),
        passed === false ? null : button("Do not let work", set(task, false)),
      ),
    );
  });
  return el("section", { class: "card" }, el("h2", {}, "Qualification"), ...rows);
}

function bonusForm(now, at, tasks, again) {
  const cents = field("bonus-dollars", "Dollars", { type: "number", min: "0.01", step: "0.01" });
  const why = field("bonus-note", "For what (the worker reads it)");
  const which = el("select", { id: "bonus-task" }, ...tasks.map((name) => el("option", { value: name }, called(now, name))));
  const give = async () => {
    const note = why.input.value;
    await post(`${at}/bonus`, {
      task: which.value,
      cents: Math.round(Number(cents.input.value) * 100),
      note,
      reference: `${at}:${which.value}:${note}`.slice(0, 150),
    });
    await again();
  };
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Bonus"),
    el("div", { class: "inline-form" }, el("div", { class: "field" }, el("label", { for: "bonus-task" }, "Task"), which), cents.box, why.box),
    button("Give it", give),
  );
}

// A role, and a new password for somebody who forgot theirs; both end their log-ins.
function accountForm(person, at, again) {
  const roles = ["worker", "reviewer", "requester"];
  const option = (role) => el("option", { value: role, selected: role === person.role }, role);
  const which = el("select", { id: "role" }, ...roles.map(option));
  const made = el("p", { role: "status" });
  const change = async () => {
    await post(`${at}/role`, { role: which.value });
    await again();
  };
  const reset = async () => {
    const meant = await sure(
      `A new password for ${person.name}?`,
      "The old one stops working, and whoever is logged in with it is logged out.",
      "Make it",
    );
    if (!meant) return;
    const { password } = await post(`${at}/password`);
    fill(made, "The new password, shown this once: ", el("code", {}, password));
  };
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Account"),
    el("div", { class: "field" }, el("label", { for: "role" }, "Role"), which),
    el("p", { class: "buttons" }, button("Change the role", change), button("New password", reset)),
    made,
  );
}

export async function show(main, id, now) {
  const again = () => show(main, id, now);
  const found = await get(`console/people/${part(id)}`);
  const at = `console/people/${part(id)}`;
  const { person, earnings } = found;
  const isRequester = now.person.role === "requester";
  const write = async () => {
    const body = await ask(`To ${person.name}`, "Message");
    if (body === null) return;
    await post(`${at}/message`, { body });
    await again();
  };
  const block = async () => {
    const reason = await ask(`Block ${person.name}?`, "Why? (the worker reads it)", { action: "Block" });
    if (reason === null) return;
    await post(`${at}/block`, { reason });
    await again();
  };
  const unblock = async () => {
    await post(`${at}/unblock`);
    await again();
  };
  const facts = `${person.role} · ${money(earnings.pay_cents + earnings.bonus_cents)} earned, ` +
    `${duration(earnings.hours * 3600)} of work`;
  fill(
    main,
    title(person.name, el("p", { class: "facts" }, facts)),
    subNav(now),
    person.is_blocked ? note(`Blocked: ${person.blocked_reason}`, "problem") : null,
    table(
      "Quality",
      ["Task", ...QUALITY],
      found.quality.map((one) => [called(now, one.task), ...qualityRow(one)]),
      { empty: "Nothing done yet." },
    ),
    el("h2", { class: "section" }, "Messages"),
    conversation(found.messages, (one) => !one.is_mine),
    el(
      "p",
      { class: "buttons" },
      button("Write", write),
      isRequester ? (person.is_blocked ? button("Let in again", unblock) : button("Block", block)) : null,
    ),
    isRequester && !person.platform ? accountForm(person, at, again) : null,
    isRequester && person.role === "worker" ? qualificationForm(now, at, found.tasks, found.quality, again) : null,
    isRequester && person.role === "worker" ? bonusForm(now, at, found.tasks, again) : null,
  );
}
