// Log in.

import { el } from "/static/js/dom.js";
import { session } from "../api.js";
import { field, go, title } from "../parts.js";

// Only a path of ours: an address could be somebody else's.
const wanted = () => {
  const to = new URLSearchParams(location.search).get("to") ?? "/collect/";
  return /^\/collect\/[\w/-]*$/.test(to) ? to : "/collect/";
};

export async function show(main, _, now) {
  const name = field("name", "Name", { autocomplete: "username", required: true, maxlength: "100" });
  const password = field("password", "Password", {
    type: "password",
    autocomplete: "current-password",
    required: true,
    maxlength: "1000",
  });
  const wrong = el("p", { class: "problem", role: "alert" });
  const enter = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await session("login", { name: name.input.value, password: password.input.value });
      go(wanted());
    } catch (error) {
      wrong.textContent = error.message;
      password.input.select();
    }
  };
  main.replaceChildren(
    title("Log in", el("p", { class: "hint" }, now.project)),
    el(
      "form",
      { class: "card narrow", onsubmit: enter },
      name.box,
      password.box,
      wrong,
      el("button", { class: "primary", type: "submit" }, "Log in"),
    ),
    el("p", { class: "hint" }, "An account is made from the invitation link that you were sent."),
  );
  name.input.focus();
}
