// One's own account: who one is here, and another password.

import { el } from "/static/js/dom.js";
import { session } from "../api.js";
import { field, note, title } from "../parts.js";

export async function show(main, _, now) {
  const { person } = now;
  const heading = title("Account", el("p", { class: "facts" }, `${person.name} · ${person.role}`));
  if (person.platform) {
    main.replaceChildren(heading, note(`You log in at ${person.platform}, and have no password here.`));
    return;
  }
  const typed = (name, label, autocomplete, hint = null) =>
    field(name, label, { type: "password", autocomplete, required: true, maxlength: "1000", hint });
  const old = typed("old-password", "Password", "current-password");
  const fresh = typed("new-password", "New password", "new-password", "At least 10 characters.");
  const outcome = el("div", { role: "alert" });
  const change = async (event) => {
    event.preventDefault();
    outcome.replaceChildren();
    try {
      await session("password", { old: old.input.value, new: fresh.input.value });
      form.reset();
      outcome.replaceChildren(note("Your password is changed. You are logged out everywhere else."));
    } catch (error) {
      outcome.replaceChildren(note(error.message, "problem"));
    }
  };
  const form = el(
    "form",
    { class: "card narrow", onsubmit: change },
    el("h2", {}, "Change the password"),
    old.box,
    fresh.box,
    outcome,
    el("button", { class: "primary", type: "submit" }, "Change it"),
  );
  main.replaceChildren(heading, form);
}
