// The right side: questions and their answers.

import { answerCard } from "./answer-card.js";
import { askToTheEnd, chooseToTheEnd } from "./asking.js";
import { choiceCard, gapInWords } from "./choice-card.js";
import { announce } from "./dom.js";
import { failedCard, pendingCard, readFrom, turn } from "./turn.js";
import { welcome } from "./welcome.js";

const MARGIN = 24;
const GONE = new DOMException("The dialog was left.", "AbortError");

const unlessStopped = (before, signal) =>
  new Promise((go, stop) => {
    signal.addEventListener("abort", () => stop(signal.reason));
    before.then(go);
  });

export class DialogPane {
  // onAnswer(answered); onEdit(question): to be typed again; onFailed(question): it got no answer;
  // onRetry(question): it is asked again.
  constructor(turns, { onAnswer, onEdit, onFailed, onRetry }) {
    Object.assign(this, { turns, onAnswer, onEdit, onFailed, onRetry });
    this.answers = [];
    this.takesFeedback = false;
    this.chosen = []; // of questions with choices, which nothing follows up
    this.stops = new Set(); // of the questions that have no answer yet
    this.before = Promise.resolve(); // ends with the question that was asked last
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
        const shown = turn(answered.question, "", answerCard(answered, this), this.onEdit);
        shown.settle(answered);
        return shown.node;
      }),
    );
    this.scrollTo(this.turns.lastElementChild);
  }

  forget(answers) {
    for (const stop of this.stops) stop.abort(GONE);
    this.stops.clear();
    this.before = Promise.resolve();
    this.answers = answers;
    this.chosen = [];
  }

  // how: the corpus, the title, and the settings.
  ask(question, how) {
    const again = () => this.ask(question, how);
    return this.take({ question, of: readFrom(how.title), again, edit: this.onEdit }, async (signal, onEvent, settle) => {
      const asked = { question, ...how, after: this.last?.id ?? null };
      const answered = await askToTheEnd(asked, signal, onEvent);
      this.answers.push(answered);
      settle(answered);
      announce(spoken(answered));
      return { card: answerCard(answered, this), after: () => this.onAnswer(answered) };
    });
  }

  // about: what the card needs beside the answer, see choice-card.js; onAnswer: called when it is shown.
  async choose(asked, about, onAnswer) {
    const of = `asked with a core fact and ${asked.choices.length} choices`;
    const key = keyOf(asked);
    this.chosen.push(key); // at once: an address asks it only once, even if it fails
    const again = () => this.choose(asked, about, onAnswer);
    const outcome = await this.take({ question: asked.question, of, again }, async (signal, onEvent) => {
      const chosen = await chooseToTheEnd(asked, signal, onEvent);
      announce(spokenChoice(chosen));
      return { card: choiceCard(chosen, about), after: onAnswer };
    });
    if (outcome === "stopped") this.chosen = this.chosen.filter((other) => other !== key);
    return outcome;
  }

  // Shows a question while it waits for the one before it and is worked on, and then its card.
  // Gives "answered", "failed", "stopped", or "dropped" where the dialog was left.
  async take(shows, work) {
    const stop = new AbortController();
    this.stops.add(stop);
    this.turns.querySelector(".welcome")?.remove();
    const pending = pendingCard(() => stop.abort());
    const shown = turn(shows.question, shows.of, pending.node, shows.edit);
    this.turns.append(shown.node);
    this.scrollTo(shown.node);
    const before = this.before;
    let end;
    this.before = new Promise((done) => (end = done));
    let outcome = "answered";
    try {
      await unlessStopped(before, stop.signal);
      pending.begin();
      announce("Looking for an answer.");
      const { card, after } = await work(stop.signal, pending.onEvent, shown.settle);
      if (stop.signal.reason === GONE) return "dropped";
      pending.node.replaceWith(card);
      after();
    } catch (error) {
      if (stop.signal.reason === GONE) return "dropped";
      outcome = stop.signal.aborted ? "stopped" : "failed";
      this.fail(shows, shown.node, pending.node, outcome === "failed" ? error : null);
    } finally {
      this.stops.delete(stop);
      before.then(end); // one that was stopped while it waited lets nothing overtake
    }
    this.scrollTo(shown.node);
    return outcome;
  }

  fail({ question, again, edit }, turn, pending, error) {
    const withoutIt = (then) => () => {
      turn.remove();
      then(question);
    };
    const retry = () => {
      this.onRetry(question);
      again();
    };
    const hadFocus = pending.contains(document.activeElement);
    const card = failedCard(error, { onRetry: withoutIt(retry), onEdit: edit ? withoutIt(edit) : null });
    pending.replaceWith(card);
    if (!error) announce("Stopped.");
    if (hadFocus) card.querySelector("button").focus();
    if (edit) this.onFailed(question);
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
