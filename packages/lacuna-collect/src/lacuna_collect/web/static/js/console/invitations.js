// Invitations: links that make accounts.

import { el } from "/static/js/dom.js";
import { get, post } from "../api.js";
import { button, field, fill, note, table, title, when } from "../parts.js";
import { subNav } from "./sub-nav.js";

export async function show(main, _, now) {
  const list = el("div", {});
  const made = el("div", {});
  const role = el("select", { id: "role" }, ...["worker", "reviewer", "requester"].map((name) => el("option", {}, name)));
  const uses = field("uses", "Accounts", { type: "number", min: "1", value: "1" });
  const about = field("note", "Note for yourself", { maxlength: "200" });
  const load = async () => {
    const pending = await get("console/invitations");
    fill(
      list,
      table(
        "Open invitations",
        ["Note", "Role", "Uses left", "Until"],
        pending.map((one) => [one.note || "–", one.role, String(one.uses_left), when(one.expires_at)]),
        { empty: "No invitation is open." },
      ),
    );
  };
  const invite = async () => {
    const { path } = await post("console/invitations", {
      role: role.value,
      uses: Number(uses.input.value),
      note: about.input.value,
    });
    fill(
      made,
      note("Send this link; it is shown only now."),
      el("p", {}, el("code", { class: "code", id: "invitation" }, location.origin + path)),
    );
    await load();
  };
  await load();
  fill(
    main,
    title("Invitations"),
    subNav(now),
    el(
      "div",
      { class: "card" },
      el(
        "div",
        { class: "inline-form" },
        el("div", { class: "field" }, el("label", { for: "role" }, "Role"), role),
        uses.box,
        about.box,
      ),
      button("Make an invitation", invite, { kind: "primary" }),
      made,
    ),
    list,
  );
}
