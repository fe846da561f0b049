// One set before a reviewer: as its worker saw it, with what was written; it can be mended in place.

import { el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { ask, button, duration, fill, go, note, title } from "../parts.js";
import { subNav } from "./sub-nav.js";

export async function show(main, submission, now) {
  const found = await get(`console/submissions/${part(submission)}`);
  const at = `console/submissions/${part(submission)}`;
  const form = await import(`/collect/static/js/forms/${found.form}.js`);
  const told = el("div", { role: "alert", tabindex: "0", class: "form-problems" });
  const root = el("div", { class: "form-root" });
  let work = found.work;
  let isChanged = false;
  const next = async () => {
    const [first] = await get("console/queue");
    go(first ? `/collect/console/review/${first.submission}` : "/collect/console/queue");
  };
  const refuse = (error) => {
    fill(told, note(error.message, "problem"));
    shown.mark(error.problems);
    told.focus();
  };
  const accept = async () => {
    await post(`${at}/${isChanged ? "repair" : "accept"}`, isChanged ? { work } : {});
    await next();
  };
  const waits = found.state === "waiting";
  const plainly = waits ? "Accept" : "Fine as it is";
  const accepting = button(plainly, accept, { kind: "primary", told: refuse });
  const withReason = (heading, path, action) => async () => {
    const reason = await ask(heading, "Why? (the worker reads it)", { action });
    if (reason === null) return;
    await post(`${at}/${path}`, { reason });
    await next();
  };
  const shown = form.show(root, {
    item: found.shown,
    draft: found.work,
    problems: [],
    loop: null,
    change(changed) {
      work = changed;
      isChanged = JSON.stringify(changed) !== JSON.stringify(found.work);
      accepting.textContent = isChanged ? "Accept as repaired" : plainly;
    },
  });
  const facts = `${found.title} · by ${found.name} · ${duration(found.seconds)}` + (found.late ? " · late" : "");
  fill(
    main,
    title(`Set S${submission}`, el("p", { class: "facts" }, facts)),
    subNav(now),
    waits ? null : note(`It is ${found.state}.`),
    el("p", { class: "hint" }, "To repair it, change it here; what the worker wrote is kept beside it."),
    root,
    el(
      "footer",
      { class: "work-bar" },
      told,
      el(
        "div",
        { class: "buttons" },
        accepting,
        waits ? button("Send back", withReason("Send it back?", "send-back", "Send back"), { told: refuse }) : null,
        button("Reject", withReason("Leave it out?", "reject", "Reject"), { told: refuse }),
      ),
    ),
  );
}
