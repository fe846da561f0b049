// Talking with a partner: the waiting room, the dialog, and its end.

import { announce, el } from "/static/js/dom.js";
import { part } from "../api.js";
import { button, called, fill, go, money, note, title } from "../parts.js";
import { useStyle } from "../forms/quac/span-answer.js";
import { dialogView } from "../live/dialog.js";
import { openLine } from "../live/line.js";
import { reporting } from "../live/report.js";
import { waitingCard } from "../live/waiting.js";

export async function show(main, task, now) {
  const root = el("div", { class: "form-root" });
  const broken = el("div", { role: "status" });
  useStyle(root);
  let dialog = null; // {number, view}
  let waits = true;

  const instructions = document.getElementById("instructions");
  instructions.prepend(el("button", { type: "button", class: "quiet close", onclick: () => instructions.close() }, "Close"));
  const read = el("button", { type: "button", class: "plain", onclick: () => instructions.showModal() }, "Instructions");
  fill(main, title(called(now, task), el("p", { class: "facts" }, read)), broken, root);

  const stop = () => {
    waits = false;
    line.send({ type: "leave" });
    go(`/collect/tasks/${part(task)}`);
  };
  function begin(message) {
    if (dialog?.number === message.dialog) {
      for (const event of message.events) dialog.view.tell(event);
      dialog.view.tell({ type: "ack" });
      return;
    }
    const view = dialogView(message, { say: line.say, send: line.send, isSaying: line.isSaying, report: reports.andLeave });
    dialog = { number: message.dialog, view };
    waits = false;
    fill(root, ...view.nodes);
    announce(`You have a partner. You are the ${message.role}.`);
    document.title = "You have a partner – Lacuna";
    view.focus();
  }
  function end(message) {
    dialog = null;
    const kept = message.kept ? "" : ` It has only ${message.pairs} of the answers that it needs, so it is not used.`;
    const next = async () => {
      waits = true;
      line.send({ type: "wait" });
    };
    fill(
      root,
      el(
        "div",
        { class: "card" },
        el("h2", { tabindex: "-1", id: "ended" }, "The dialog has ended"),
        el("p", {}, message.message + kept),
        el("p", { class: "facts" }, `You get ${money(message.pay_cents)} for it.`),
        el(
          "p",
          { class: "buttons" },
          button("Find another partner", next, { kind: "primary" }),
          el("a", { class: "as-button", href: "/collect/" }, "To the list of tasks"),
        ),
        message.may_report ? reports.after(message.dialog) : null,
      ),
    );
    document.getElementById("ended").focus();
  }
  function takenOver() {
    fill(
      root,
      note("This goes on in another window or tab of yours.", "problem"),
      el("p", { class: "buttons" }, button("Go on here", () => location.reload())),
    );
  }
  const told = {
    waiting: (message) => dialog ?? fill(root, waitingCard(message, stop)),
    dialog: begin,
    ended: end,
    "taken-over": takenOver,
    left: () => {},
    reported: () => reports.kept(),
    refused(message) {
      if (reports.refused(message) && !dialog) return; // it stands under the end of the dialog
      if (message.code === "out-of-order") line.again();
      else if (dialog) dialog.view.tell(message);
      else fill(root, note(message.message, "problem"), el("p", {}, el("a", { class: "as-button", href: `/collect/tasks/${part(task)}` }, "To the task")));
    },
  };
  const reports = reporting((message) => line.send(message));
  const line = openLine(task, {
    state: () => ({ dialog: dialog?.number ?? null, seen: dialog?.view.last() ?? 0, wait: waits }),
    told: (message) => (told[message.type] ?? dialog?.view.tell)?.(message),
    is(state, words = "") {
      if (state === "broken") {
        fill(broken, note(`${words} The connection is lost. It is opened again; nothing that was sent is lost.`.trim(), "problem"));
      } else {
        fill(broken);
        if (state === "open") reports.sendAgain();
      }
    },
  });
}
