// The texts of one question, one at a time: the question, its paragraph, and the linked articles.

import { el } from "/static/js/dom.js";
import { idOf } from "./fields.js";
import { markableText } from "./markable-text.js";
import { searchBox } from "./search.js";

// The sources in the order in which one looks: the writer's links first.
export function sourcesOf(item, question) {
  const paragraph = item.paragraphs.find((one) => one.id === question.paragraph);
  const linked = [...new Set(paragraph.links.map((link) => link.target))];
  const titles = [...question.links, ...linked.filter((title) => !question.links.includes(title))];
  const whole = [[0, [...question.text].length]];
  return [
    { place: { source: "paragraph" }, name: "The paragraph", hint: paragraph.title, ...paragraph },
    ...titles.map((title) => ({
      place: { source: "article", title },
      name: title,
      hint: question.links.includes(title) ? "the writer expected it here" : null,
      ...item.articles[title],
    })),
    { place: { source: "question" }, name: "The question", text: question.text, sentences: whole },
  ];
}

export const isIn = (span, source) =>
  span.source === source.place.source && (span.title ?? "") === (source.place.title ?? "");

// marks(source) gives what is marked in it; addAnswer and addContext take {source, title, start, end}.
export function readingPane({ field, number, sources, marks, canAnswer, addAnswer, addContext }) {
  const shown = el("div", {});
  let text = null;
  const id = `${idOf(field)}-source`;
  const select = el(
    "select",
    { id, onchange: () => open(Number(select.value)) },
    ...sources.map((source, index) => el("option", { value: index }, source.hint ? `${source.name} (${source.hint})` : source.name)),
  );
  function open(index, start, end) {
    select.value = index;
    const source = sources[index];
    const at = (take) => (span) => take({ ...source.place, ...span });
    const context = { label: "Add as context", sentence: "Add the sentence as context", take: at(addContext) };
    const answer = { label: "Add as answer", take: at(addAnswer) };
    const isQuestion = source.place.source === "question";
    const actions = [...(canAnswer() ? [answer] : []), ...(isQuestion ? [] : [context])];
    if (!actions.length) actions.push({ label: "Nothing to mark here for this kind of answer", take() {} });
    text = markableText(source, `Text for question ${number}: ${source.name}`, actions, () => marks(source));
    shown.replaceChildren(...text.nodes);
    if (start !== undefined) text.find(start, end);
  }
  open(0);
  return {
    node: el(
      "div",
      { class: "pane" },
      searchBox(field, sources, open),
      el("div", { class: "field" }, el("label", { for: id }, "Text to read"), select),
      shown,
    ),
    draw: () => text.draw(),
    renew: () => open(Number(select.value)),
  };
}
