// One question to be answered: what kind of answer it has, the answer, and what one must read for it.

import { el } from "/static/js/dom.js";
import { Points } from "/static/js/pieces.js";
import { choiceGroup, placeList, room, textField } from "./fields.js";
import { isIn, readingPane, sourcesOf } from "./reading-pane.js";

const KINDS = [
  ["span", "Words from a text or from the question"],
  ["number", "A number with its unit"],
  ["yes", "Yes"],
  ["no", "No"],
  ["none", "The texts do not say"],
  ["bad", "The question is bad"],
];
const REASONS = [
  ["senseless", "It makes no sense, or mistakes what the paragraph says"],
  ["answerable-here", "The paragraph alone answers it"],
];
const choices = (rows) => rows.map(([value, label]) => ({ value, label }));

export function answerCard({ item, index, answer, changed }) {
  const question = item.questions[index];
  const field = `answers.${index}`;
  const sources = sourcesOf(item, question);
  const points = sources.map((source) => new Points(source.text));
  const fields = el("div", {});
  const marked = el("div", {});
  const state = el("span", { class: "state" });

  const set = (name, value) => {
    answer[name] = value;
    tell();
    changed();
  };
  const tell = () => {
    state.textContent = answer.kind ? KINDS.find(([kind]) => kind === answer.kind)[1] : "open";
  };
  const described = (span) => {
    const at = sources.findIndex((source) => isIn(span, source));
    return at < 0 ? { text: "?" } : { text: points[at].slice(span.start, span.end), from: sources[at].name };
  };
  const add = (name) => (span) => {
    const there = answer[name].some((one) => JSON.stringify(one) === JSON.stringify(span));
    if (!there) set(name, [...answer[name], span]);
    list();
  };
  const drop = (name) => (at) => {
    set(name, answer[name].filter((_, other) => other !== at));
    list();
    pane?.draw();
  };
  function list() {
    const kind = answer.kind;
    marked.replaceChildren(
      ...(kind === "span" ? [placeList("Answer", answer.spans.map(described), drop("spans"))] : []),
      room(`${field}.spans`),
      ...(["span", "number", "yes", "no"].includes(kind)
        ? [placeList("Context: what one must read, and no more", answer.context.map(described), drop("context"))]
        : []),
      room(`${field}.context`),
    );
  }
  function showFields() {
    const text = (name, label, more) =>
      textField({ field: `${field}.${name}`, label, value: answer[name], change: (value) => set(name, value), ...more });
    const parts = {
      number: () => [
        text("number", "Number, in digits", { inputmode: "decimal", maxlength: "30" }),
        text("unit", "Unit: what is counted, such as years", { maxlength: "60" }),
      ],
      bad: () => [
        choiceGroup({
          field: `${field}.reason`,
          legend: "What is wrong with it?",
          type: "radio",
          choices: choices(REASONS),
          chosen: [answer.reason],
          change: ([reason]) => set("reason", reason),
        }),
      ],
    };
    fields.replaceChildren(...(parts[answer.kind]?.() ?? []));
    list();
    pane?.renew();
  }

  let pane = null;
  const body = el("div", { class: "body" });
  function build() {
    if (pane) return;
    pane = readingPane({
      field,
      number: index + 1,
      sources,
      marks: (source) => [
        ...(source.place.source === "paragraph" ? question.context.map(([start, end]) => ({ start, end, kind: "writers" })) : []),
        ...answer.context.filter((span) => isIn(span, source)).map((span) => ({ ...span, kind: "context" })),
        ...answer.spans.filter((span) => isIn(span, source)).map((span) => ({ ...span, kind: "answer" })),
      ],
      canAnswer: () => answer.kind === "span",
      addAnswer: add("spans"),
      addContext: add("context"),
    });
    body.append(
      choiceGroup({
        field: `${field}.kind`,
        legend: "The answer is",
        type: "radio",
        choices: choices(KINDS),
        chosen: [answer.kind],
        change: ([kind]) => {
          set("kind", kind);
          showFields();
        },
      }),
      fields,
      marked,
      pane.node,
    );
    showFields();
  }

  tell();
  const card = el(
    "details",
    { class: "card question", ontoggle: () => card.open && build() },
    el("summary", {}, el("span", { class: "asked" }, `${index + 1}. ${question.text} `), state),
    room(field),
    body,
  );
  return { card, build };
}
