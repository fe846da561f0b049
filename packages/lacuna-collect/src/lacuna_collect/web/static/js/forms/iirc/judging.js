// The test of the question task: what to think of others' questions.

import { el } from "/static/js/dom.js";
import { pieces, Points } from "/static/js/pieces.js";
import { choiceGroup, room } from "./fields.js";

export function showJudging(root, { item, draft, change }) {
  const given = Array.isArray(draft?.judgements) ? draft.judgements : [];
  const judgements = item.candidates.map((_, index) => ({ verdict: "", links: [], ...given[index] }));
  const changed = () => change({ judgements: structuredClone(judgements) });
  const { paragraph } = item;
  const points = new Points(paragraph.text);
  const titles = [...new Set(paragraph.links.map((link) => link.target))];

  function card(text, index) {
    const judgement = judgements[index];
    const field = `judgements.${index}`;
    const links = el(
      "div",
      {},
      choiceGroup({
        field: `${field}.links`,
        legend: "Which linked articles does it need?",
        type: "checkbox",
        choices: titles.map((value) => ({ value, label: value })),
        chosen: judgement.links,
        change: (values) => {
          judgement.links = values;
          changed();
        },
      }),
    );
    const showLinks = () => (links.hidden = judgement.verdict !== "good");
    showLinks();
    return el(
      "fieldset",
      { class: "card question" },
      el("legend", {}, `Question ${index + 1}`),
      el("p", { class: "asked" }, text),
      choiceGroup({
        field: `${field}.verdict`,
        legend: "This question is",
        type: "radio",
        choices: item.verdicts.map(({ name, label }) => ({ value: name, label })),
        chosen: [judgement.verdict],
        change: ([verdict]) => {
          judgement.verdict = verdict;
          showLinks();
          changed();
        },
      }),
      links,
    );
  }

  root.replaceChildren(
    el(
      "section",
      { class: "reading" },
      el("h2", {}, paragraph.title),
      el(
        "p",
        { class: "text" },
        ...pieces(points, 0, points.length, paragraph.links).map((piece) =>
          piece.in.length ? el("span", { class: "link" }, piece.text) : piece.text,
        ),
      ),
      el("p", { class: "hint" }, `Links to: ${titles.join(" · ")}`),
    ),
    el(
      "section",
      { class: "question-list" },
      el("h2", {}, "Others have asked these questions about it"),
      room("judgements"),
      ...item.candidates.map(card),
    ),
  );
}
