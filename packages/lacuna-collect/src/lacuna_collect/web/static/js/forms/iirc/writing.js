// Writing a set of questions over the paragraphs of one set.

import { el } from "/static/js/dom.js";
import { pieces, Points } from "/static/js/pieces.js";
import { room } from "./fields.js";
import { questionCard } from "./question-card.js";

const BLANK = { paragraph: "", text: "", context: [], links: [] };

export function showWriting(root, { item, draft, change, loop }) {
  const given = Array.isArray(draft?.questions) ? draft.questions : [];
  const questions = Array.from({ length: item.questions }, (_, index) => ({ ...BLANK, ...given[index] }));
  const work = () => ({ questions: structuredClone(questions) });
  const count = el("p", { class: "tally", role: "status" });
  const tell = () => {
    const done = questions.filter((one) => one.text.trim() && one.context.length && one.links.length).length;
    const multi = questions.filter((one) => one.links.length > 1).length;
    count.textContent =
      `${done} of ${item.questions} questions are whole; ${multi} with two or more links ` +
      `(at least ${item.fewest_multi_link} wanted).`;
  };
  const changed = () => {
    tell();
    change(work());
  };
  const cards = questions.map((question, index) =>
    questionCard({ question, index, paragraphs: item.paragraphs, changed, ask: loop && ((part) => loop(work(), part)) }),
  );
  tell();
  root.replaceChildren(
    el(
      "section",
      { class: "reading" },
      el("h2", {}, "The paragraphs"),
      el("p", { class: "hint" }, "Underlined words are links; you see where they lead, but not what is written there."),
      ...item.paragraphs.map(readingParagraph),
    ),
    el("section", { class: "question-list" }, el("h2", {}, "Your questions"), count, room("questions"), ...cards),
  );
}

function readingParagraph(paragraph, index) {
  const points = new Points(paragraph.text);
  const shown = pieces(points, 0, points.length, paragraph.links).map((piece) =>
    piece.in.length ? el("span", { class: "link", title: `Link to: ${piece.in[0].target}` }, piece.text) : piece.text,
  );
  const titles = [...new Set(paragraph.links.map((link) => link.target))];
  return el(
    "details",
    { class: "paragraph", open: index === 0 },
    el("summary", {}, `${index + 1}. ${paragraph.title}`),
    el("p", { class: "text" }, ...shown),
    el("p", { class: "hint" }, `Links to: ${titles.join(" · ")}`),
  );
}
