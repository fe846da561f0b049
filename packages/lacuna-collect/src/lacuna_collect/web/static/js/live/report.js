// A report about the partner: written during the dialog or after it, and sent until it is kept.

import { el } from "/static/js/dom.js";
import { ask, button } from "../parts.js";

const AGAIN = 2_000;
const CHOICES = ["They were rude.", "They did not try.", "They wrote things that do not belong here."];

export function reporting(send) {
  let unkept = null; // at most one: it is about the last dialog
  const state = el("p", { role: "status" });
  let offer = null;

  const sendAgain = () => unkept && send(unkept);
  async function write(dialog, action, hint) {
    const text = await ask("Report your partner?", "What did they do?", { action, hint, choices: CHOICES });
    if (!text) return;
    unkept = { type: "report", key: `report-${dialog}`, dialog, text };
    state.textContent = "Your report is being sent …";
    send(unkept);
  }
  function done(words) {
    unkept = null;
    state.textContent = words;
  }
  return {
    sendAgain, // after a line that broke
    andLeave: (dialog) => write(dialog, "Report and leave", "The requester reads it, your partner does not. The dialog ends."),
    // What stands under a dialog that has ended: a report can be begun, or is on its way already.
    after(dialog) {
      if (!unkept) state.textContent = "";
      offer = button("Report your partner", () => write(dialog, "Report", "The requester reads it, your partner does not."));
      return el("div", {}, state, el("p", { class: "buttons" }, offer));
    },
    kept() {
      done("The requester has your report.");
      offer?.remove();
    },
    // Whether it was a report that was refused.
    refused(message) {
      if (!unkept || message.key !== unkept.key) return false;
      if (message.code === "database") setTimeout(sendAgain, AGAIN);
      else done(message.message);
      return true;
    },
  };
}
