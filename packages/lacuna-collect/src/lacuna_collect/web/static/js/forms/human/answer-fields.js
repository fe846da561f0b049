// The fields of each kind of answer.

import { announce, el } from "/static/js/dom.js";
import { choice, problemNote, setProblem } from "../hotpotqa-paragraphs.js";
import { selectedText } from "../selected-text.js";

const parts = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

// Words as the texts have them; where an answer may have several parts, each is on a line of its own.
export function textField(texts, several, told) {
  const label = several ? "The words; if the answer has several parts, each on a line of its own" : "The words";
  const more = { id: "human-texts", dir: "auto", autocomplete: "off", "aria-describedby": "human-texts-problem" };
  const input = several ? el("textarea", { rows: "3", maxlength: "9000", ...more }) : el("input", { type: "text", maxlength: "1000", ...more });
  input.value = texts.join("\n");
  const set = () => told(parts(input.value));
  input.addEventListener("input", set);
  const selected = selectedText("human-text");
  const take = () => {
    const text = selected();
    if (!text) {
      announce("Nothing is selected in the texts.");
      return;
    }
    input.value = several ? [...parts(input.value), text].join("\n") : text;
    set();
    announce(`Taken: ${text}`);
  };
  const button = el("button", { type: "button", class: "quiet", onclick: take }, "Take what is selected in the texts");
  return labelled(label, input, button);
}

export function numberFields(work, set) {
  const one = (name, label, more) => {
    const input = el("input", { type: "text", id: `human-${name}`, autocomplete: "off", "aria-describedby": `human-${name}-problem`, ...more });
    input.value = work[name];
    input.addEventListener("input", () => set(name)(input.value));
    return labelled(label, input);
  };
  const number = one("number", "The number, in digits", { inputmode: "decimal", maxlength: "30" });
  const unit = one("unit", "What is counted, such as years", { maxlength: "60" });
  return {
    node: el("div", { class: "number-fields" }, number.node, unit.node),
    mark(messages) {
      number.mark(messages.get("number"));
      unit.mark(messages.get("unit"));
    },
  };
}

export function choiceField(choices, chosen, told) {
  const options = choices.map(({ label, text }) => [label, `${label}: ${text}`]);
  const { field, mark } = choice("The answer", "human-choice", options, chosen, told);
  return { node: field, mark };
}

function labelled(text, input, ...more) {
  const note = problemNote(`${input.id}-problem`);
  const node = el("div", { class: "field" }, el("label", { for: input.id }, text), input, ...more, note);
  return { node, mark: (message) => setProblem(input, note, message) };
}
