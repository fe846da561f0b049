// The fields for a core fact and choices, in the box that questions are asked in.

import { el } from "./dom.js";

const FEWEST = 2;
const AT_FIRST = 4;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class ChoicesForm {
  constructor(box, question, fields) {
    this.box = box;
    this.question = question;
    this.fields = fields;
    this.most = LETTERS.length;
    this.example = null;
    this.fact = el("input", { type: "text", id: "fact", dir: "auto", autocomplete: "off", placeholder: "What the answer rests on" });
    this.list = el("ol", { class: "choice-list" });
    this.add = el("button", { type: "button", class: "plain", onclick: () => this.addOne() }, "Add a choice");
    const fill = el("button", { type: "button", class: "plain", onclick: () => this.fill(this.example) }, "Fill in an example");
    fields.append(
      el("legend", { class: "unseen" }, "Core fact and choices"),
      el("div", { class: "fact-field" }, el("label", { for: "fact" }, "Core fact"), this.fact),
      this.list,
    );
    this.tools = el("div", { class: "choice-tools" }, this.add, fill);
    fields.after(this.tools);
    this.clear();
    this.show(false);
  }

  // What the server allows, and its example.
  learn({ most_choices, example_with_choices }) {
    this.most = Math.min(most_choices, LETTERS.length);
    this.example = example_with_choices;
  }

  get isOpen() {
    return !this.fields.hidden;
  }

  get inputs() {
    return [...this.list.querySelectorAll("input")];
  }

  // What was typed; choices that were left empty are left out.
  get typed() {
    const choices = this.inputs.map((input) => input.value.trim()).filter(Boolean);
    return { question: this.question.value.trim(), fact: this.fact.value.trim(), choices };
  }

  get isEmpty() {
    return !this.typed.fact && !this.typed.choices.length;
  }

  show(open) {
    this.fields.hidden = this.tools.hidden = !open;
    this.box.classList.toggle("with-choices", open);
  }

  clear() {
    this.fact.value = "";
    this.lay(Array(AT_FIRST).fill(""));
  }

  fill({ question, fact, choices }) {
    this.question.value = question;
    this.fact.value = fact;
    this.lay(choices);
    this.question.focus();
  }

  addOne() {
    this.lay([...this.inputs.map((input) => input.value), ""]);
    this.inputs.at(-1).focus();
  }

  remove(place) {
    const values = this.inputs.map((input) => input.value);
    values.splice(place, 1);
    this.lay(values);
    this.inputs[Math.min(place, values.length - 1)].focus();
  }

  lay(values) {
    this.list.replaceChildren(...values.map((value, place) => this.field(value, place, values.length)));
    this.add.disabled = values.length >= this.most;
  }

  field(value, place, count) {
    const [id, letter] = [`choice-${place}`, LETTERS[place]];
    const input = el("input", { type: "text", id, dir: "auto", autocomplete: "off" });
    input.value = value;
    return el(
      "li",
      {},
      el("label", { for: id }, el("span", { class: "unseen" }, "Choice "), letter),
      input,
      el(
        "button",
        { type: "button", title: "Remove", "aria-label": `Remove choice ${letter}`, disabled: count <= FEWEST, onclick: () => this.remove(place) },
        "×",
      ),
    );
  }
}
