// The work page: the task's own form, saved while it is filled in, and handed in.

import { announce, el } from "/static/js/dom.js";
import { get, part, post } from "../api.js";
import { ask, button, duration, fill, go, money, note, title } from "../parts.js";
import { showReceipt } from "../work/after.js";
import { autosave } from "../work/autosave.js";
import { modelInLoop } from "../work/loop.js";
import { measureTime } from "../work/time-spent.js";

const ENDED = {
  waiting: "This was handed in, and waits for a reviewer.",
  accepted: "This was handed in and accepted.",
  rejected: "This was handed in, and was not accepted.",
  tested: "This part of the test was handed in.",
  skipped: "You have skipped this one.",
};

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function above(assigned) {
  const facts = assigned.is_test
    ? `Test: ${assigned.tests_left} to go, this one included`
    : `${money(assigned.pay_cents)} for this set`;
  return [
    title(assigned.title, el("p", { class: "facts" }, facts)),
    assigned.returned_reason
      ? el(
          "div",
          { class: "note returned" },
          el("strong", {}, "A reviewer sent this back: "),
          el("span", { dir: "auto" }, assigned.returned_reason),
        )
      : null,
    assigned.state === "expired"
      ? note(
          "The time for this one has run out, and it may have gone to somebody else. What you hand " +
            "in now is kept for the requester, who decides whether it still counts.",
          "problem",
        )
      : null,
  ];
}

export async function show(main, assignment) {
  const assigned = await get(`work/${part(assignment)}`);
  const ended = ENDED[assigned.state];
  if (ended) {
    fill(
      main,
      title(assigned.title),
      note(ended),
      el("p", {}, el("a", { class: "as-button", href: "/collect/" }, "To the list of tasks")),
    );
    return;
  }
  const form = await import(`/collect/static/js/forms/${assigned.form}.js`);
  const seconds = measureTime(assigned.seconds);
  const state = el("span", { class: "save-state", role: "status" }, "Saved");
  const left = el("span", { class: "time-left" });
  const problems = el("div", { role: "alert", class: "form-problems", tabindex: "0" });
  let expires = Date.now() + assigned.seconds_left * 1000;
  let work = assigned.draft ?? {};
  let key = newKey();

  const saver = autosave(assignment, assigned.version, {
    seconds,
    saved(got) {
      state.textContent = "Saved";
      expires = Date.now() + got.seconds_left * 1000;
      if (got.is_expired) fill(problems, note("The time for this one has run out; it is kept all the same.", "problem"));
    },
    failed(error) {
      state.textContent = "Not saved";
      fill(problems, note(error.message, "problem"));
    },
    stale(error) {
      state.textContent = "Not saved";
      const keep = button("Keep what is on this page", async () => {
        saver.takeOver(error.told.version);
        saver.change(work);
        fill(problems);
        await saver.now();
      });
      const take = el("button", { type: "button", class: "quiet", onclick: () => {
        saver.stop();
        location.reload();
      } }, "Take what was saved there");
      fill(problems, note(error.message, "problem"), el("p", { class: "buttons" }, take, keep));
      problems.focus();
    },
  });

  const unsent = saver.left();
  const loop = modelInLoop(assigned);
  const root = el("div", { class: "form-root" });
  const shown = form.show(root, {
    assignment: assigned.assignment,
    item: assigned.shown,
    draft: unsent ?? work,
    problems: [],
    loop: loop?.ask ?? null,
    change(changed) {
      work = changed;
      key = newKey();
      state.textContent = "Saving …";
      saver.change(changed);
    },
  });
  if (unsent !== null) {
    work = unsent;
    saver.change(unsent);
  }

  const refuse = (error) => {
    const found = error.problems.length;
    const places = found === 1 ? "One thing is missing or wrong:" : `${found} things are missing or wrong:`;
    const summary = found ? `${error.message} ${places}` : error.message;
    fill(problems, note(summary, "problem"), named(error.problems, form.placeOf));
    if (found) shown.mark(error.problems);
    problems.focus();
    announce(summary);
  };
  const submit = async () => {
    await saver.now();
    fill(problems);
    shown.mark([]);
    const got = await post(`work/${part(assignment)}/submit`, { work, key, seconds: seconds() });
    saver.stop();
    showReceipt(main, assigned, got);
  };
  const skip = async () => {
    const reason = await ask("Skip this one?", "Why? (the requester reads it)", {
      action: "Skip it",
      choices: assigned.shown.skip_reasons ?? [],
    });
    if (reason === null) return;
    await post(`work/${part(assignment)}/skip`, { reason });
    saver.stop();
    go(`/collect/tasks/${part(assigned.task)}`);
  };
  const report = async () => {
    const text = await ask("Report a problem", "What is wrong with it?", {
      hint: "The requester reads it. You can go on meanwhile.",
    });
    if (text === null) return;
    await post(`work/${part(assignment)}/report`, { text });
    fill(problems, note("Thank you. The requester has your report."));
  };
  const instructions = document.getElementById("instructions");
  const read = () => instructions.showModal();
  if (!instructions.querySelector(".close")) {
    instructions.prepend(
      el("button", { type: "button", class: "quiet close", onclick: () => instructions.close() }, "Close"),
    );
  }

  fill(
    main,
    ...above(assigned),
    loop?.notice,
    root,
    el(
      "footer",
      { class: "work-bar" },
      problems,
      el(
        "div",
        { class: "buttons" },
        button("Hand in", submit, { kind: "primary", told: refuse }),
        el("button", { type: "button", class: "quiet", onclick: read }, "Instructions"),
        button("Report a problem", report, { told: refuse }),
        assigned.is_test ? null : button("Skip", skip, { told: refuse }),
        el("span", { class: "states" }, state, " · ", left),
      ),
    ),
  );
  const tick = () => {
    const rest = (expires - Date.now()) / 1000;
    left.textContent = rest > 0 ? `${duration(rest)} left` : "Time has run out";
  };
  tick();
  setInterval(tick, 5_000);
}

// A form may say where a field is: "Question 3".
function named(problems, placeOf = () => "") {
  if (!problems.length) return null;
  const line = ({ field, message }) => {
    const place = placeOf(field);
    return el("li", {}, place ? el("strong", {}, `${place}: `) : null, message);
  };
  return el("ul", { class: "problem-list" }, ...problems.map(line));
}
