// The box that questions are typed in: how long one may be, and what went wrong with one.

import { codePoints } from "./pieces.js";
import { showView } from "./views.js";

const NEAR = 0.8; // of the limit: from here on it is told how much is left
const number = (value) => value.toLocaleString("en");

export class QuestionBox {
  constructor(input, { counter, problem }) {
    Object.assign(this, { input, counter, problem });
    this.longest = Infinity;
    input.addEventListener("input", () => this.look());
  }

  learn({ longest_question: longest }) {
    this.longest = longest;
    this.look();
  }

  get typed() {
    return this.input.value.trim();
  }

  // A question to be typed again; nothing that is being typed is lost, unless it is asked for.
  put(question, { over = true } = {}) {
    if (!over && this.typed) return;
    this.input.value = question;
    this.look();
    if (!over) return;
    showView("dialog");
    this.input.focus();
  }

  // What was put back is asked after all.
  drop(question) {
    if (this.typed === question) this.clear();
  }

  clear() {
    this.input.value = "";
    this.look();
  }

  // Whether it can be asked; if not, says why.
  check() {
    const over = codePoints(this.typed) - this.longest;
    if (over > 0) {
      this.say(
        `The question is longer than ${number(this.longest)} characters. Ask one that is ${number(over)} shorter.`,
      );
    }
    if (!this.typed || over > 0) this.input.focus();
    return Boolean(this.typed) && over <= 0;
  }

  say(words) {
    this.problem.textContent = words;
    this.problem.scrollIntoView?.({ block: "nearest" });
  }

  // What was wrong with another text is no longer true.
  look() {
    this.problem.textContent = "";
    const length = codePoints(this.typed);
    const over = length > this.longest;
    this.counter.textContent =
      length < NEAR * this.longest ? "" : `${number(length)} of ${number(this.longest)} characters`;
    this.counter.classList.toggle("problem", over);
    if (over) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}
