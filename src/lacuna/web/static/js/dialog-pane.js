// The right side: questions and their answers, and the box to ask in.

import { answerCard } from "./answer-card.js";
import { askToTheEnd } from "./asking.js";
import { announce, el } from "./dom.js";
import { stepLine } from "./steps-list.js";

const MARGIN = 24;

export class DialogPane {
  constructor(turns, { onAnswer }) {
    this.turns = turns;
    this.onAnswer = onAnswer;
    this.answers = [];
    this.asking = null;
  }

  get last() {
    return this.answers.at(-1) ?? null;
  }

  find(id) {
    return this.answers.find((answered) => answered.id === id) ?? null;
  }

  // Begin anew; examples: questions to offer.
  clear(corpus, onExample) {
    this.asking?.abort();
    this.answers = [];
    this.turns.replaceChildren(welcome(corpus, onExample));
  }

  restore(answers) {
    this.asking?.abort();
    this.answers = answers;
    this.turns.replaceChildren(
      ...answers.map((answered) => turn(answered.question, answered.passage, answerCard(answered)).node),
    );
    this.scrollTo(this.turns.lastElementChild);
  }

  async ask(question, { corpus, title }) {
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.turns.querySelector(".welcome")?.remove();
    const pending = pendingCard();
    const shown = turn(question, title, pending.node);
    this.turns.append(shown.node);
    this.scrollTo(shown.node);
    announce("Looking for an answer.");
    try {
      const asked = { question, corpus, title, after: this.last?.id ?? null };
      const answered = await askToTheEnd(asked, signal, pending.tell);
      this.answers.push(answered);
      shown.of(answered.passage);
      pending.node.replaceWith(answerCard(answered));
      announce(spoken(answered));
      this.onAnswer(answered);
    } catch (error) {
      if (error.name === "AbortError") return shown.node.remove();
      pending.node.replaceWith(el("div", { class: "card failed" }, el("p", { class: "problem", role: "alert" }, error.message)));
    }
    this.scrollTo(shown.node);
  }

  // Not scrollIntoView, which would move the whole page as well.
  scrollTo(turn) {
    if (turn) this.turns.scrollTop = turn.offsetTop - MARGIN;
  }
}

let count = 0;

function turn(question, passage, card) {
  const id = `turn-${++count}`;
  const line = el("p", { class: "turn-of" });
  const of = (title) => (line.textContent = title ? `read from ${title}` : "asked of the whole corpus");
  of(passage);
  const node = el(
    "article",
    { class: "turn", "aria-labelledby": id },
    el("h3", { class: "turn-question", id, dir: "auto" }, question),
    line,
    card,
  );
  return { node, of };
}

function pendingCard() {
  const text = el("span", {}, "Looking for an answer …");
  const steps = el("ol", { class: "step-list steps-live" });
  const node = el(
    "div",
    { class: "card", "aria-busy": "true" },
    el("p", { class: "waiting-line" }, el("span", { class: "pulse" }), text),
    steps,
  );
  const tell = (event) => {
    if (event.event === "step") {
      text.textContent = "Looking for an answer …";
      steps.append(stepLine(event.step));
    } else if (event.event === "waiting") {
      text.textContent = event.ahead ? `In line: ${event.ahead} before you …` : "Looking for an answer …";
    } else if (event.event === "busy") {
      text.textContent = `Many people are asking. Trying again in ${event.seconds} s …`;
    }
  };
  return { node, tell };
}

function welcome(corpus, onExample) {
  const examples = corpus.examples.map((example) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "example", onclick: () => onExample(example) },
        example.question,
        el("small", {}, example.title ? `of ${example.title}` : "of the whole corpus"),
      ),
    ),
  );
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, "Ask what the text only partly answers"),
    el(
      "p",
      {},
      "Lacuna finds what is missing along the links, reads it there, and answers with its evidence. " +
        "Or it says plainly what is missing, and where it looked.",
    ),
    examples.length ? [el("h3", {}, "Questions to begin with"), el("ul", {}, examples)] : null,
  );
}

function spoken({ answer, confidence, quotes, gaps }) {
  if (answer.kind === "none") return `No answer was found. ${gaps.map((gap) => gap.missing).join(" ")}`;
  const sure = confidence === null ? "" : ` ${Math.round(100 * confidence)} percent confident.`;
  return `Answer: ${answer.text}.${sure} ${quotes.length} ${quotes.length === 1 ? "quote" : "quotes"}.`;
}
