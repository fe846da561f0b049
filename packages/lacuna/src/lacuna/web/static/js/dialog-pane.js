// The right side: questions and their answers.

import { answerCard } from "./answer-card.js";
import { askToTheEnd, chooseToTheEnd } from "./asking.js";
import { choiceCard, gapInWords } from "./choice-card.js";
import { count } from "./counts.js";
import { announce } from "./dom.js";
import { asksLanguageModel, settings } from "./settings.js";
import { Suggestions } from "./suggestions.js";
import { failedCard, pendingCard, readFrom, turn } from "./turn.js";
import { BEGIN, welcome } from "./welcome.js";

const MARGIN = 24;
const short = matchMedia("(max-height: 30rem) and (max-width: 54rem)");
const LOOKING = "Looking for questions that these documents answer …";
const GONE = new DOMException("The dialog was left.", "AbortError");

const unlessStopped = (before, signal) =>
  new Promise((go, stop) => {
    signal.addEventListener("abort", () => stop(signal.reason));
    before.then(go);
  });

export class DialogPane {
  // onAnswer(answered); onEdit(question): to be typed again; onFailed(question): it got no answer;
  // onRetry(question): it is asked again; onSuggested(question): it is to be asked; onOwn: documents are to be uploaded;
  // aboutChoice(asked): what a card needs beside its answer, see choice-card.js.
  constructor(turns, { onAnswer, onEdit, onFailed, onRetry, onSuggested, onOwn, aboutChoice }) {
    Object.assign(this, { turns, onAnswer, onEdit, onFailed, onRetry, onOwn, aboutChoice });
    this.held = []; // answers of both kinds, in their order
    this.suggestions = new Suggestions(onSuggested);
    this.takesFeedback = false;
    this.chosen = []; // of questions with choices, which nothing follows up
    this.stops = new Set(); // of the questions that have no answer yet
    this.before = Promise.resolve(); // ends with the question that was asked last
  }

  // Of the corpus: what can be followed up.
  get answers() {
    return this.held.filter((one) => !isChosen(one));
  }

  get last() {
    return this.answers.at(-1) ?? null;
  }

  get begun() {
    return this.held.length + this.chosen.length > 0;
  }

  get isBusy() {
    return this.stops.size > 0;
  }

  // Nothing was asked yet.
  get isBlank() {
    return !this.turns.querySelector(".turn");
  }

  find(id) {
    return this.answers.find((answered) => answered.id === id) ?? null;
  }

  hasChosen(asked) {
    return this.chosen.includes(keyOf(asked));
  }

  // Begin anew; examples: questions to offer; gone: see welcome.js.
  clear(corpus, onExample, gone = null) {
    this.forget([]);
    this.turns.replaceChildren(welcome(corpus, {
      gone,
      onExample,
      onOwn: this.onOwn,
      more: () => this.suggest({ corpus: corpus.id }, BEGIN, LOOKING),
    }));
  }

  // held: answers, and answers to questions with choices.
  restore(held) {
    this.forget(held);
    this.turns.replaceChildren(...held.map((one) => (isChosen(one) ? this.restoredChoice(one) : this.restoredAnswer(one))));
    const toLast = () => this.scrollTo(this.turns.lastElementChild);
    toLast();
    requestAnimationFrame(() => requestAnimationFrame(toLast)); // what is drawn in the cards has made room
  }

  restoredAnswer(answered) {
    const shown = turn(answered.question, "", answerCard(answered, this), this.onEdit);
    shown.settle(answered);
    return shown.node;
  }

  restoredChoice(chosen) {
    const asked = askedWith(chosen);
    this.chosen.push(keyOf(asked));
    return turn(chosen.question, withoutCorpus(asked), choiceCard(chosen, this.aboutChoice(asked))).node;
  }

  forget(held) {
    this.suggestions.stop();
    for (const stop of this.stops) stop.abort(GONE);
    this.stops.clear();
    this.before = Promise.resolve();
    this.held = [...held];
    this.chosen = [];
  }

  suggest(of, heading, waiting) {
    if (asksLanguageModel()) return "";
    const { model, min_confidence, windows } = settings();
    return this.suggestions.look({ ...of, model, min_confidence, windows }, heading, waiting);
  }

  // how: the corpus, the title, and the settings.
  ask(question, how) {
    const again = () => this.ask(question, how);
    return this.take({ question, of: readFrom(how.title), again, edit: this.onEdit }, async (signal, onEvent, settle) => {
      const asked = { question, ...how, after: this.last?.id ?? null };
      const answered = await askToTheEnd(asked, signal, onEvent);
      this.held.push(answered);
      settle(answered);
      announce(spoken(answered));
      const after = (node) => {
        this.onAnswer(answered);
        if (!this.stops.size) node.append(this.suggest({ corpus: how.corpus, after: answered.id }, "Questions to go on with"));
      };
      return { card: answerCard(answered, this), after };
    });
  }

  // about: what the card needs beside the answer, see choice-card.js; onAnswer: called when it is shown.
  async choose(asked, about, onAnswer) {
    const of = withoutCorpus(asked);
    const key = keyOf(asked);
    this.chosen.push(key); // at once: an address asks it only once, even if it fails
    const again = () => this.choose(asked, about, onAnswer);
    const outcome = await this.take({ question: asked.question, of, again }, async (signal, onEvent) => {
      const chosen = await chooseToTheEnd(asked, signal, onEvent);
      this.held.push(chosen);
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
    this.suggestions.stop();
    for (const old of this.turns.querySelectorAll(".welcome, .suggested")) old.remove();
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
      this.stops.delete(stop);
      after(shown.node);
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

  // The turn of an answer is shown, if nothing of it is.
  turnTo(answer) {
    const turn = this.turns.querySelector(`[data-answer="${CSS.escape(answer)}"]`);
    const top = turn ? turn.offsetTop - this.turns.scrollTop : 0;
    if (turn && (top >= this.turns.clientHeight || top + turn.offsetHeight <= MARGIN)) this.scrollTo(turn);
  }

  // Not scrollIntoView, which would move the whole page as well.
  // Only where the window is so short and narrow that the page scrolls as a whole, see layout.css, it does.
  scrollTo(turn) {
    if (!turn?.isConnected) return;
    this.turns.scrollTop = turn.offsetTop - MARGIN;
    if (short.matches) scrollTo({ top: turn.getBoundingClientRect().top + scrollY - MARGIN / 2 });
  }
}

export const isChosen = (one) => Boolean(one.choices);
export const askedWith = ({ question, fact, choices }) => ({ question, fact, choices: choices.map(({ text }) => text) });
const withoutCorpus = ({ choices }) =>
  `asked with a core fact and ${choices.length} choices; answered from everyday knowledge, not from the corpus`;
const keyOf = ({ question, fact, choices }) => JSON.stringify([question, fact, choices]);

function spoken({ answer, degree, confidence, measured, quotes, gaps, read_as: read, advice }) {
  if (advice) return advice;
  const first = read ? `Read as: ${read} ` : "";
  if (degree === "none") return `${first}No answer was found. ${gaps.map((gap) => gap.missing).join(" ")}`;
  const name = degree === "probable" ? "Probably" : "Answer";
  return `${first}${name}: ${answer.text}.${sureness(confidence, measured)} ${count(quotes.length, "quote")}.`;
}

function spokenChoice(result) {
  const { answer, confidence, choices } = result;
  const choice = choices.find(({ label }) => label === answer.label);
  return `Answer: ${choice.label}, ${choice.text}.${sureness(confidence)} The gap: ${gapInWords(result, choice)}.`;
}

const sureness = (confidence, measured) =>
  confidence === null ? "" : ` ${Math.round(100 * confidence)} percent ${measured === false ? "sure, says the model" : "confident"}.`;
