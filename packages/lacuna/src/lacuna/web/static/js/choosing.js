// Asking with choices: from the fields, and from an address.

import { addressOf, linkTo, readAddress } from "./address.js";
import { codePoints } from "./pieces.js";

const MODE = "choices";

export class Choosing {
  // corpus(): the id of the one that is open; onAnswer(): one is shown; onChange(): called when the
  // fields open or close.
  constructor({ form, dialogs, problem, corpus, go, onAnswer, onChange }) {
    Object.assign(this, { form, dialogs, problem, corpus, go, onAnswer, onChange });
    this.server = null;
  }

  learn(server) {
    this.server = server;
    this.form.learn(server);
  }

  // Where the page is, without what was asked or is being typed.
  get place() {
    const { doc, answer } = readAddress();
    return { corpus: this.corpus(), doc, answer };
  }

  toggle() {
    this.problem.textContent = "";
    this.form.show(!this.form.isOpen);
    this.go({ ...this.place, mode: this.form.isOpen ? MODE : null });
    this.onChange();
    this.form.question.focus();
  }

  // Show what the address says; a draft is not closed by a click on something else.
  follow(wanted) {
    if (wanted.mode === MODE) this.form.show(true);
    else if (this.form.isEmpty) this.form.show(false);
    const { question, fact, choices, shown } = wanted;
    const asked = { question, fact, choices };
    if (question && fact && choices.length && !this.dialogs.hasChosen(asked)) this.ask(asked, shown);
    this.onChange();
  }

  async submit() {
    const { form } = this;
    const asked = form.typed;
    const wrong = this.wrongWith(asked);
    this.problem.textContent = wrong?.words ?? "";
    if (wrong) return wrong.field.focus();
    form.question.value = "";
    form.clear();
    form.show(false);
    form.question.focus();
    this.onChange();
    const outcome = await this.ask(asked);
    const typing = !form.isEmpty || form.question.value;
    if (outcome !== "failed" || typing) return;
    form.show(true);
    form.fill(asked);
    this.onChange();
  }

  // shown: the label of the choice whose gap is shown first; the answer's without one.
  ask(asked, shown = null) {
    const { placeOf, about } = this.about(asked, shown);
    return this.dialogs.choose(asked, about, () => {
      this.go(placeOf(shown));
      this.onAnswer();
      this.onChange();
    });
  }

  // What the card of such a question needs, see choice-card.js.
  about(asked, shown = null) {
    const at = { ...this.place, answer: null };
    const placeOf = (label) => ({ ...at, ...asked, shown: label });
    const about = {
      shown,
      onShow: (label) => history.replaceState(history.state, "", addressOf(placeOf(label))),
      onAgain: () => {
        this.form.show(true);
        this.form.fill(asked);
        this.onChange();
      },
      linkOf: (label) => linkTo(placeOf(label)),
    };
    return { placeOf, about };
  }

  // The first thing that hinders asking, and the field to mend it in.
  wrongWith({ question, fact, choices }) {
    const { form, server } = this;
    const empty = form.inputs.find((input) => !input.value.trim());
    const long = form.inputs.find((input) => tooLong(input.value.trim(), server.longest_choice));
    const words = (what, most) => `${what} is longer than ${most.toLocaleString("en")} characters. Give a shorter one.`;
    if (!question) return { field: form.question, words: "There is no question yet." };
    if (tooLong(question, server.longest_question)) {
      return { field: form.question, words: words("The question", server.longest_question) };
    }
    if (!fact) return { field: form.fact, words: "There is no core fact yet: a sentence that says half of the answer." };
    if (tooLong(fact, server.longest_fact)) return { field: form.fact, words: words("The fact", server.longest_fact) };
    if (choices.length < 2) return { field: empty, words: "There are fewer than two choices yet." };
    return long ? { field: long, words: words("A choice", server.longest_choice) } : null;
  }
}

const tooLong = (text, most) => codePoints(text) > most;
