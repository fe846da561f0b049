// The right side: questions and their answers.

import { answerCard } from "./answer-card.js";
import { askToTheEnd, chooseToTheEnd } from "./asking.js";
import { choiceCard, gapInWords } from "./choice-card.js";
import { announce } from "./dom.js";
import { failedCard, pendingCard, readFrom, turn } from "./turn.js";
import { welcome } from "./welcome.js";

const MARGIN = 24;

export class DialogPane {
  constructor(turns, { onAnswer }) {
    this.turns = turns;
    this.onAnswer = onAnswer;
    this.answers = [];
    this.chosen = []; // of questions with choices, which nothing follows up
    this.asking = null;
  }

  get last() {
    return this.answers.at(-1) ?? null;
  }

  get begun() {
    return this.answers.length + this.chosen.length > 0;
  }

  find(id) {
    return this.answers.find((answered) => answered.id === id) ?? null;
  }

  hasChosen(asked) {
    return this.chosen.includes(keyOf(asked));
  }

  // Begin anew; examples: questions to offer.
  clear(corpus, onExample) {
    this.forget([]);
    this.turns.replaceChildren(welcome(corpus, onExample));
  }

  restore(answers) {
    this.forget(answers);
    this.turns.replaceChildren(
      ...answers.map((answered) => {
        const shown = turn(answered.question, "", answerCard(answered));
        shown.settle(answered);
        return shown.node;
      }),
    );
    this.scrollTo(this.turns.lastElementChild);
  }

  forget(answers) {
    this.asking?.abort();
    this.answers = answers;
    this.chosen = [];
  }

  ask(question, { corpus, title }) {
    const asked = { question, corpus, title, after: this.last?.id ?? null };
    return this.take(question, readFrom(title), async (signal, onEvent, settle) => {
      const answered = await askToTheEnd(asked, signal, onEvent);
      this.answers.push(answered);
      settle(answered);
      announce(spoken(answered));
      return { card: answerCard(answered), after: () => this.onAnswer(answered) };
    });
  }

  // about: what the card needs beside the answer, see choice-card.js; onAnswer: called when it is shown.
  async choose(asked, about, onAnswer) {
    const of = `asked with a core fact and ${asked.choices.length} choices`;
    const key = keyOf(asked);
    this.chosen.push(key); // at once: an address asks it only once, even if it fails
    const outcome = await this.take(asked.question, of, async (signal, onEvent) => {
      const chosen = await chooseToTheEnd(asked, signal, onEvent);
      announce(spokenChoice(chosen));
      return { card: choiceCard(chosen, about), after: onAnswer };
    });
    if (outcome === "dropped") this.chosen = this.chosen.filter((other) => other !== key);
    return outcome;
  }

  // Shows a question while it is worked on, and then its card. Gives "answered", "failed", or
  // "dropped" where another question came in between.
  async take(question, of, work) {
    this.asking?.abort();
    this.asking = new AbortController();
    this.turns.querySelector(".welcome")?.remove();
    const pending = pendingCard();
    const shown = turn(question, of, pending.node);
    this.turns.append(shown.node);
    this.scrollTo(shown.node);
    announce("Looking for an answer.");
    let outcome = "answered";
    try {
      const { card, after } = await work(this.asking.signal, pending.onEvent, shown.settle);
      pending.node.replaceWith(card);
      after();
    } catch (error) {
      outcome = error.name === "AbortError" ? "dropped" : "failed";
      if (outcome === "dropped") shown.node.remove();
      else pending.node.replaceWith(failedCard(error));
    }
    this.scrollTo(shown.node);
    return outcome;
  }

  // Not scrollIntoView, which would move the whole page as well.
  scrollTo(turn) {
    if (turn?.isConnected) this.turns.scrollTop = turn.offsetTop - MARGIN;
  }
}

const keyOf = ({ question, fact, choices }) => JSON.stringify([question, fact, choices]);

function spoken({ answer, degree, confidence, quotes, gaps, read_as: read }) {
  const first = read ? `Read as: ${read} ` : "";
  if (degree === "none") return `${first}No answer was found. ${gaps.map((gap) => gap.missing).join(" ")}`;
  const name = degree === "probable" ? "Probably" : "Answer";
  const count = `${quotes.length} ${quotes.length === 1 ? "quote" : "quotes"}`;
  return `${first}${name}: ${answer.text}.${sureness(confidence)} ${count}.`;
}

function spokenChoice(result) {
  const { answer, confidence, choices } = result;
  const choice = choices.find(({ label }) => label === answer.label);
  return `Answer: ${choice.label}, ${choice.text}.${sureness(confidence)} The gap: ${gapInWords(result, choice)}.`;
}

const sureness = (confidence) =>
  confidence === null ? "" : ` ${Math.round(100 * confidence)} percent confident.`;
