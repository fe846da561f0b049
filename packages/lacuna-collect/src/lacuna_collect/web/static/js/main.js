// Which page it is, who is there, and what the bar offers.

import { el } from "/static/js/dom.js";
import { setUpTheme } from "/static/js/theme.js";
import { post, session } from "./api.js";
import { failed, go } from "./parts.js";

const CONSOLE = ["requester", "reviewer"];
const PAGES = [
  [/^\/collect\/login$/, "./pages/login.js", "anyone"],
  [/^\/collect\/join\/([\w-]+)$/, "./pages/register.js", "anyone"],
  [/^\/collect\/?$/, "./pages/tasks.js", "person"],
  [/^\/collect\/tasks\/([\w-]+)$/, "./pages/task.js", "person"],
  [/^\/collect\/live\/([\w-]+)$/, "./pages/live.js", "person"],
  [/^\/collect\/work\/(\d+)$/, "./pages/work.js", "person"],
  [/^\/collect\/messages$/, "./pages/messages.js", "person"],
  [/^\/collect\/earnings$/, "./pages/earnings.js", "person"],
  [/^\/collect\/account$/, "./pages/account.js", "person"],
  [/^\/collect\/console$/, "./console/overview.js", "console"],
  [/^\/collect\/console\/workers$/, "./console/workers.js", "console"],
  [/^\/collect\/console\/workers\/(\d+)$/, "./console/worker.js", "console"],
  [/^\/collect\/console\/queue$/, "./console/queue.js", "console"],
  [/^\/collect\/console\/review\/(\d+)$/, "./console/review.js", "console"],
  [/^\/collect\/console\/reports$/, "./console/reports.js", "console"],
  [/^\/collect\/console\/invitations$/, "./console/invitations.js", "console"],
];

const main = document.getElementById("main");

function bar(now) {
  const { person, unread } = now;
  if (!person) return;
  const link = (href, text) => {
    const here = location.pathname === href;
    return el("a", { href, "aria-current": here ? "page" : null }, text);
  };
  const messages = unread ? `Messages (${unread})` : "Messages";
  const links = [link("/collect/", "Tasks"), link("/collect/messages", messages)];
  if (person.role === "worker") links.push(link("/collect/earnings", "Earnings"));
  if (CONSOLE.includes(person.role)) {
    links.push(link("/collect/console", "Console"), link("/collect/console/queue", "Review"));
  }
  const leave = async () => {
    await post("logout");
    go("/collect/login");
  };
  const out = el("button", { type: "button", class: "plain", onclick: leave }, "Log out");
  const name = link("/collect/account", person.name);
  name.className = "who";
  document.getElementById("nav").append(...links, el("span", { class: "account" }, name, out));
}

async function start() {
  setUpTheme(document.getElementById("theme"));
  for (const [pattern, path, who] of PAGES) {
    const found = location.pathname.match(pattern);
    if (!found) continue;
    const now = await session();
    if (who !== "anyone" && !now.person) {
      go(`/collect/login?to=${encodeURIComponent(location.pathname)}`);
      return;
    }
    bar(now);
    if (who === "console" && !CONSOLE.includes(now.person.role)) {
      throw new Error("This page is for reviewers and requesters.");
    }
    const page = await import(path);
    await page.show(main, found[1], now);
    return;
  }
  throw new Error("There is nothing at this address.");
}

start().catch((error) => failed(main, error));
