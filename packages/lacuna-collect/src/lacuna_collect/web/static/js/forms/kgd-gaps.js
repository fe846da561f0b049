// KGD's second round: the key term of the fact, and the statements about it and the answer that are true.

import { announce, el } from "/static/js/dom.js";
import { Points } from "/static/js/pieces.js";
import { byField, problemNote, setProblem } from "./hotpotqa-paragraphs.js";
import { useStyle as useMarking } from "./iirc/fields.js";
import { markableText } from "./iirc/markable-text.js";
import { asked, useStyle } from "./kgd/asked.js";
import { statementList } from "./kgd/statements.js";

export function show(root, { item, draft, problems, change }) {
  useMarking();
  useStyle();
  const points = new Points(item.fact);
  const work = {
    span: Array.isArray(draft?.span) ? draft.span : null,
    term: typeof draft?.term === "string" ? draft.term : "",
    relations: Array.isArray(draft?.relations) ? [...draft.relations] : [],
    other: typeof draft?.other === "string" ? draft.other : "",
  };
  const term = () => (work.span ? points.slice(...work.span) : work.term.trim());

  const chosen = el("p", { class: "key-term", role: "status" });
  const typed = el("input", { type: "text", id: "kgd-term", maxlength: "200", dir: "auto", autocomplete: "off", "aria-describedby": "kgd-term-problem" });
  const other = el("input", { type: "text", id: "kgd-other", maxlength: "200", dir: "auto", autocomplete: "off", "aria-describedby": "kgd-other-problem" });
  const spanNote = problemNote("kgd-span-problem");
  const termNote = problemNote("kgd-term-problem");
  const otherNote = problemNote("kgd-other-problem");
  typed.value = work.term;
  other.value = work.other;

  const statements = statementList(item, work.relations, (ticked) => {
    work.relations = ticked;
    changed();
  });
  function draw() {
    const words = term();
    chosen.replaceChildren(...(words ? ["Key term: ", el("q", { dir: "auto" }, words)] : ["No key term yet."]));
    statements.fill(words);
    second.hidden = !words;
  }
  function changed() {
    draw();
    change(structuredClone(work));
  }
  const take = ({ start, end }) => {
    work.span = [start, end];
    work.term = typed.value = "";
    changed();
    announce(`The key term is: ${term()}. The statements are filled in below.`);
  };
  const fact = markableText(
    { text: item.fact, sentences: [[0, points.length]] },
    "The fact",
    [{ label: "This is the key term", take }],
    () => (work.span ? [{ start: work.span[0], end: work.span[1], kind: "answer" }] : []),
  );
  typed.addEventListener("input", () => {
    work.term = typed.value;
    if (work.term.trim()) work.span = null;
    fact.draw();
    changed();
  });
  other.addEventListener("input", () => {
    work.other = other.value;
    changed();
  });

  const second = el(
    "section",
    {},
    el("h2", {}, "2. What is true?"),
    el("p", { class: "hint" }, "Tick every statement that is true of the right answer and of no other answer."),
    statements.node,
    el(
      "div",
      { class: "field" },
      el("label", { for: "kgd-other" }, "None of them? Say how the key term and the right answer are related"),
      other,
      otherNote,
    ),
  );
  root.replaceChildren(
    el(
      "div",
      { class: "kgd iirc" },
      asked(item, item.answer),
      el(
        "section",
        {},
        el("h2", {}, "1. Which words of the fact hint at the answer?"),
        ...fact.nodes,
        chosen,
        spanNote,
        el(
          "details",
          { open: work.term ? "" : null },
          el("summary", {}, "No words that stand together will do"),
          el("div", { class: "field" }, el("label", { for: "kgd-term" }, "The key term, in other words"), typed, termNote),
        ),
      ),
      second,
    ),
  );
  draw();

  function mark(found) {
    const messages = byField(found);
    setProblem(spanNote, spanNote, messages.get("span") ?? messages.get(""));
    setProblem(typed, termNote, messages.get("term"));
    setProblem(other, otherNote, messages.get("other"));
    statements.mark(messages.get("relations"));
    if (messages.has("relations") || messages.has("other")) second.hidden = false;
  }
  if (problems?.length) mark(problems);
  return { mark };
}
