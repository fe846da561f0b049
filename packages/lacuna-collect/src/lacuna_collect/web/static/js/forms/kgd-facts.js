// KGD's first round: does a fact bear on the question, and does it point to one answer alone?

import { el } from "/static/js/dom.js";
import { byField, choice, withStyle } from "./hotpotqa-paragraphs.js";
import { asked, useStyle } from "./kgd/asked.js";

const RELEVANT = [[true, "Yes, it helps"], [false, "No"]];
const UNIQUE = [[true, "Yes, to one"], [false, "No, to several or none"]];

// Which fact a field belongs to, for a list of all that is wrong.
export function placeOf(field) {
  const number = /^judgements\.(\d+)/.exec(field)?.[1];
  return number === undefined ? "" : `Fact ${Number(number) + 1}`;
}

export function show(root, { item, draft, problems, change }) {
  withStyle();
  useStyle();
  const given = Array.isArray(draft?.judgements) ? draft.judgements : [];
  const verdicts = item.facts.map((_, at) => ({ relevant: null, unique: null, ...given[at] }));
  const done = el("p", { class: "hint", role: "status" });
  const isDone = ({ relevant, unique }) => relevant === false || (relevant === true && unique !== null);
  function count() {
    done.textContent = `${verdicts.filter(isDone).length} of ${verdicts.length} facts done.`;
  }
  const changed = () => {
    count();
    change({ judgements: structuredClone(verdicts) });
  };
  const rows = item.facts.map((fact, at) => {
    const verdict = verdicts[at];
    const unique = choice("Does it point to one of the answers alone?", `unique-${at}`, UNIQUE, verdict.unique, (value) => {
      verdict.unique = value;
      changed();
    });
    const relevant = choice("Does it help to answer the question?", `relevant-${at}`, RELEVANT, verdict.relevant, (value) => {
      verdict.relevant = value;
      if (!value) verdict.unique = null;
      unique.field.hidden = !value;
      changed();
    });
    unique.field.hidden = verdict.relevant !== true;
    const row = el(
      "li",
      { class: "judged-fact" },
      el("h3", { dir: "auto" }, `${at + 1}. ${fact}`),
      relevant.field,
      unique.field,
    );
    return { row, relevant, unique };
  });
  count();
  root.replaceChildren(
    el(
      "div",
      { class: "kgd" },
      asked(item),
      el("h2", {}, "Facts"),
      done,
      el("ol", { class: "judged-facts" }, ...rows.map(({ row }) => row)),
    ),
  );

  function mark(found) {
    const messages = byField(found);
    rows.forEach(({ relevant, unique }, at) => {
      relevant.mark(messages.get(`judgements.${at}.relevant`));
      unique.mark(messages.get(`judgements.${at}.unique`));
    });
    if (messages.has("judgements")) rows[0]?.relevant.mark(messages.get("judgements"));
  }
  if (problems?.length) mark(problems);
  return { mark };
}
