// What all windows over the page share.

import { el } from "./dom.js";

export function dialogHead(dialog, id, title) {
  const close = () => dialog.close();
  return el(
    "div",
    { class: "dialog-head" },
    el("h2", { id }, title),
    el("button", { type: "button", class: "quiet", onclick: close }, "Close"),
    el("span", { class: "unseen announcer", role: "status" }),
  );
}
