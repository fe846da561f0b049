// Make an account from an invitation.

import { el } from "/static/js/dom.js";
import { session } from "../api.js";
import { field, go, title } from "../parts.js";

export async function show(main, invitation, now) {
  const name = field("name", "Name", {
    autocomplete: "username",
    required: true,
    maxlength: "100",
    hint: "The requester sees it; it is not part of what is published.",
  });
  const password = field("password", "Password", {
    type: "password",
    autocomplete: "new-password",
    required: true,
    maxlength: "1000",
    hint: "At least 10 characters.",
  });
  const wrong = el("p", { class: "problem", role: "alert" });
  const enter = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    const typed = { invitation, name: name.input.value, password: password.input.value };
    try {
      await session("register", typed);
      go("/collect/");
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  main.replaceChildren(
    title("Make an account", el("p", { class: "hint" }, now.project)),
    el(
      "form",
      { class: "card narrow", onsubmit: enter },
      name.box,
      password.box,
      wrong,
      el("button", { class: "primary", type: "submit" }, "Make the account"),
    ),
  );
  name.input.focus();
}
