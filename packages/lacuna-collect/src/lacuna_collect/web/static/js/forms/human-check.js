// A question of a dataset, with what may be read for it: what do people answer?

import { el } from "/static/js/dom.js";
import { byField, choice, problemNote, setProblem, withStyle } from "./hotpotqa-paragraphs.js";
import { choiceField, numberFields, textField } from "./human/answer-fields.js";
import { readableTexts, supportedTexts } from "./human/texts.js";

const SHEET = "/collect/static/css/human.css";
const KINDS = {
  span: "Words from a text",
  number: "A number",
  yes: "Yes",
  no: "No",
  none: "The texts do not say",
};

export function show(root, { item, draft, problems, change }) {
  withStyle();
  useStyle();
  const [only, ...others] = item.kinds;
  const work = {
    kind: typeof draft?.kind === "string" ? draft.kind : others.length ? "" : only,
    texts: Array.isArray(draft?.texts) ? draft.texts : [],
    number: typeof draft?.number === "string" ? draft.number : "",
    unit: typeof draft?.unit === "string" ? draft.unit : "",
    choice: typeof draft?.choice === "string" ? draft.choice : "",
    supporting: Array.isArray(draft?.supporting) ? draft.supporting : [],
  };
  const changed = () => {
    draw();
    change(structuredClone(work));
  };
  const set = (name) => (value) => {
    work[name] = value;
    changed();
  };

  const kinds = item.kinds.map((kind) => [kind, KINDS[kind]]);
  const kind = others.length ? choice("The answer is", "human-kind", kinds, work.kind, set("kind")) : null;
  const fields = {
    span: textField(work.texts, item.several_spans, set("texts")),
    number: numberFields(work, set),
    choice: choiceField(item.choices, work.choice, set("choice")),
  };
  const texts = item.supporting
    ? supportedTexts(item.texts, work.supporting, set("supporting"))
    : readableTexts(item.texts);
  const supporting = problemNote("human-supporting-problem");
  const general = problemNote("human-problem");
  function draw() {
    for (const [name, { node }] of Object.entries(fields)) node.hidden = name !== work.kind;
  }
  draw();
  root.replaceChildren(
    el(
      "div",
      { class: "human" },
      el("h2", { class: "given-question", dir: "auto" }, item.question),
      item.fact ? el("p", {}, "A fact that may help: ", el("b", { dir: "auto" }, item.fact)) : null,
      texts.node,
      el(
        "section",
        { class: "card answer" },
        el("h2", {}, "Your answer"),
        kind?.field,
        ...Object.values(fields).map(({ node }) => node),
        item.supporting ? el("p", { class: "hint" }, texts.told) : null,
        supporting,
        general,
      ),
    ),
  );

  function mark(found) {
    const messages = byField(found);
    kind?.mark(messages.get("kind"));
    fields.span.mark(messages.get("texts"));
    fields.number.mark(messages);
    fields.choice.mark(messages.get("choice"));
    setProblem(supporting, supporting, messages.get("supporting"));
    setProblem(general, general, messages.get(""));
  }
  if (problems?.length) mark(problems);
  return { mark };
}

function useStyle() {
  if (document.querySelector(`link[href="${SHEET}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href: SHEET }));
}
