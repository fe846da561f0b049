// A dialog as one of the two sees it: what is known of the article, what was said, and one's own turn.

import { announce, el } from "/static/js/dom.js";
import { spanAnswer } from "../forms/quac/span-answer.js";
import { answerLine, questionLine } from "../forms/quac/talk.js";
import { button, duration, money, sure } from "../parts.js";

const TYPING = 3_000;
const TYPED_EVERY = 2_000;

export function dialogView(begun, { say, send, isSaying, report }) {
  const isTeacher = begun.role === "teacher";
  const partner = begun.partner_is_simulated ? "The simulated partner" : isTeacher ? "The student" : "The teacher";
  let last = 0;
  let turn = begun.turn;
  let typed = 0;
  let quiet = null;

  const talk = el("ol", { class: "talk", "aria-label": "What was said" });
  const log = el("div", { role: "log", "aria-live": "polite" }, talk); // what comes is read aloud
  const state = el("p", { class: "partner", role: "status" });
  const facts = el("p", { class: "facts" });
  const told = el("p", { class: "problem", role: "alert" });
  const typing = () => {
    if (Date.now() - typed < TYPED_EVERY) return;
    typed = Date.now();
    send({ type: "typing" });
  };
  const picking = isTeacher ? spanAnswer({ section: begun.seen, followUp: true, changed: typing }) : null;
  const question = el("textarea", { id: "live-question", rows: "2", maxlength: "300", oninput: typing });
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  const sending = el("button", { type: "button", class: "primary", onclick: () => submit() }, isTeacher ? "Send the answer" : "Ask");
  const asked = el("p", { class: "question-now", dir: "auto" });
  const composer = el(
    "div",
    { class: "composer" },
    ...(isTeacher
      ? picking.fields
      : [el("div", { class: "field" }, el("label", { for: "live-question" }, "Your question"), question)]),
    el("p", { class: "buttons" }, sending),
  );

  function submit() {
    told.textContent = "";
    if (isSaying()) return;
    if (isTeacher) {
      const answer = picking.answer();
      if (!answer) picking.refuse("Mark the answer in the section, or say that it does not tell.");
      else say({ after: last, answer });
    } else if (question.value.trim()) {
      say({ after: last, text: question.value.trim().replace(/\s+/gu, " ") });
    } else {
      told.textContent = "Write a question.";
    }
    draw();
  }
  function draw() {
    const mine = turn === begun.role;
    composer.hidden = !mine;
    sending.disabled = isSaying();
    if (!quiet) state.textContent = mine ? yours() : `${partner} is about to ${isTeacher ? "ask" : "answer"}.`;
  }
  const yours = () => (isTeacher ? "It is your turn: answer the question." : "It is your turn: ask a question.");
  function takeEvent(event) {
    if (event.number <= last) return;
    last = event.number;
    const mine = event.from === begun.role;
    const who = mine ? "You" : partner;
    if (event.kind === "question") {
      talk.append(questionLine(event.text, who));
      turn = "teacher";
      if (mine) question.value = "";
      else asked.textContent = event.text;
    } else if (event.kind === "answer") {
      talk.append(answerLine(event.answer, who));
      turn = "student";
      if (mine) {
        picking.clear();
        asked.textContent = "";
      }
      count(event.pairs, event.pay_cents);
    }
    hush();
    told.textContent = "";
    draw();
    if (!mine) (isTeacher ? picking.reading[0] : question).focus();
  }
  function count(pairs, cents) {
    const enough = pairs < begun.fewest_pairs ? `, used from ${begun.fewest_pairs} on` : "";
    facts.textContent = `${pairs} of at most ${begun.most_pairs} answers${enough} · ${money(cents)} so far`;
  }
  function hush() {
    clearTimeout(quiet);
    quiet = null;
    state.classList.remove("away");
  }
  function note(text, { away = false, until = null } = {}) {
    hush();
    state.textContent = text;
    state.classList.toggle("away", away);
    quiet = setTimeout(() => {
      hush();
      draw();
    }, until ?? 600_000);
  }
  const take = {
    event: takeEvent,
    typing: () => note(`${partner} is typing …`, { until: TYPING }),
    partner({ is_here: isHere, seconds }) {
      if (isHere) {
        hush();
        announce("Your partner is back.");
        draw();
      } else {
        note(`Your partner has lost the connection. If they are not back within ${duration(seconds)}, the dialog ends.`, { away: true });
      }
    },
    idle({ is_you: isYou, seconds }) {
      const who = isYou ? "Are you still there? Without a word" : "Your partner has said nothing for a while. Without a word";
      note(`${who} within ${duration(seconds)}, the dialog ends.`, { away: true });
    },
    refused(message) {
      told.textContent = message.problems?.map((one) => one.message).join(" ") || message.message;
      draw();
    },
    ack: draw,
  };

  const leave = async () => {
    const few = `With fewer than ${begun.fewest_pairs} answers it is not used, and you get nothing for it.`;
    if (await sure("Leave the dialog?", `It ends for both of you. ${few}`, "Leave")) send({ type: "leave" });
  };
  const seen = begun.seen;
  const about = [
    el("h2", {}, seen.title),
    el("p", { class: "background", dir: "auto" }, seen.background),
    el("p", { class: "heading", dir: "auto" }, seen.section),
    ...(isTeacher
      ? [...picking.reading, asked, composer]
      : [el("p", { class: "hint" }, "You do not see this section. Ask about it.")]),
  ];
  const nodes = [
    begun.partner_is_simulated
      ? el("p", { class: "note simulated" }, "Your partner is simulated: it is a program and no person. This dialog is for practice.")
      : null,
    el(
      "div",
      { class: "two" },
      el("section", { "aria-label": "The article" }, ...about),
      el("section", { "aria-label": "The dialog" }, facts, log, state, told, isTeacher ? null : composer),
    ),
    el(
      "footer",
      { class: "work-bar" },
      el("div", { class: "buttons" }, button("Leave the dialog", leave), begun.partner_is_simulated ? null : button("Report your partner", () => report(begun.dialog))),
    ),
  ];
  count(begun.pairs, begun.pay_cents);
  for (const event of begun.events) takeEvent(event);
  draw();
  return {
    nodes: nodes.filter(Boolean),
    last: () => last,
    tell: (message) => take[message.type]?.(message),
    focus: () => (isTeacher ? picking.reading[0] : question).focus(),
  };
}
