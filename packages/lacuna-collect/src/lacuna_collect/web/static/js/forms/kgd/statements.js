// All relations as statements about the key term and the right answer; each can be ticked.

import { el } from "/static/js/dom.js";
import { problemNote, setProblem } from "../hotpotqa-paragraphs.js";

// told(names) is called with those that are ticked.
export function statementList(item, ticked, told) {
  const right = item.choices.find(({ label }) => label === item.answer);
  const wrong = item.choices.filter(({ label }) => label !== item.answer);
  const note = problemNote("kgd-relations-problem");
  const rows = item.statements.map((statement) => {
    const id = `kgd-relation-${statement.name}`;
    const input = el("input", { type: "checkbox", id });
    input.checked = ticked.includes(statement.name);
    input.addEventListener("change", () => {
      showOthers();
      told(rows.filter((row) => row.input.checked).map((row) => row.statement.name));
    });
    const label = el("label", { for: id });
    const others = el("p", { class: "hint" });
    let term = "";
    const sentence = (choice) => words(statement, term, choice.text, item.place_words);
    function showOthers() {
      others.hidden = !input.checked;
      const said = wrong.map((choice) => `“${sentence(choice).join("")}”`).join(", ");
      others.textContent = input.checked ? `Then none of these may be true: ${said}.` : "";
    }
    const fill = (words) => {
      term = words;
      const [first, middle, last] = sentence(right);
      label.replaceChildren(el("b", { dir: "auto" }, first), middle, el("b", { dir: "auto" }, last));
      showOthers();
    };
    const row = el("li", { class: "statement" }, input, el("div", {}, label, others));
    return { statement, input, fill, row };
  });
  const node = el(
    "fieldset",
    { class: "statements", "aria-describedby": note.id },
    el("legend", {}, "Statements"),
    el("ul", {}, ...rows.map(({ row }) => row)),
    note,
  );
  return {
    node,
    fill: (term) => rows.forEach((row) => row.fill(term)),
    mark: (message) => setProblem(node, note, message),
  };
}

// The three parts of a statement; a place may say itself how something is placed there.
function words({ words: middle, inverse }, term, choice, placeWords) {
  const [first, second] = inverse ? [choice, term] : [term, choice];
  const isPlace = placeWords.includes(second.split(" ")[0].toLowerCase());
  const between = middle.endsWith(" in") && isPlace ? middle.slice(0, -3) : middle;
  return [first, ` ${between} `, second];
}
