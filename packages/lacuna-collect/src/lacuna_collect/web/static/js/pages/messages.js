// Messages between a person and the requesters.

import { el } from "/static/js/dom.js";
import { get, post } from "../api.js";
import { button, field, fill, title, when } from "../parts.js";

export function conversation(messages, mine) {
  if (!messages.length) return el("p", { class: "hint" }, "No messages yet.");
  const line = (one) =>
    el(
      "li",
      { class: mine(one) ? "mine" : "theirs" },
      el("p", { dir: "auto" }, one.body),
      el("p", { class: "hint" }, `${one.from} · ${when(one.at)}`),
    );
  return el("ol", { class: "messages" }, ...messages.map(line));
}

export async function show(main) {
  const list = el("div", {});
  const text = field("message", "To the requester", { type: "textarea", rows: "3", maxlength: "4000" });
  const load = async () => fill(list, conversation(await get("messages"), (one) => one.is_mine));
  const send = async () => {
    text.wrong.textContent = "";
    await post("messages", { body: text.input.value });
    text.input.value = "";
    await load();
  };
  const refuse = (error) => (text.wrong.textContent = error.message);
  await load();
  fill(
    main,
    title("Messages"),
    list,
    el("div", { class: "card" }, text.box, button("Send", send, { kind: "primary", told: refuse })),
  );
}
