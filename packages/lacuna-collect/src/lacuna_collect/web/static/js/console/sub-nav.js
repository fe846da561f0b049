// The console's own pages.

import { el } from "/static/js/dom.js";

const PAGES = [
  ["/collect/console", "Overview", false],
  ["/collect/console/workers", "People", false],
  ["/collect/console/queue", "Review", false],
  ["/collect/console/reports", "Problems", false],
  ["/collect/console/invitations", "Invitations", true],
];

export function subNav(now) {
  const may = PAGES.filter(([, , requester]) => !requester || now.person.role === "requester");
  const link = ([href, text]) =>
    el("a", { href, "aria-current": location.pathname === href ? "page" : null }, text);
  return el("nav", { class: "sub-nav", "aria-label": "Console" }, ...may.map(link));
}
