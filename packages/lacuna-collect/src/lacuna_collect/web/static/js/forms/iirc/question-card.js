// One question: its paragraph, its words, the place that it builds on, and the links that it needs.

import { el } from "/static/js/dom.js";
import { Points } from "/static/js/pieces.js";
import { choiceGroup, idOf, placeList, problemId, room, textField } from "./fields.js";
import { markableText } from "./markable-text.js";

export function questionCard({ question, index, paragraphs, changed, ask }) {
  const field = `questions.${index}`;
  const about = el("div", {});
  const set = (name, value) => {
    question[name] = value;
    changed();
  };

  function showParagraph() {
    const paragraph = paragraphs.find((one) => one.id === question.paragraph);
    about.replaceChildren(...(paragraph ? aboutParagraph(paragraph) : []));
  }
  function aboutParagraph(paragraph) {
    const places = el("div", {});
    const points = new Points(paragraph.text);
    const text = markableText(
      paragraph,
      `Paragraph of question ${index + 1}: ${paragraph.title}`,
      [{ label: "Mark what is selected", sentence: "Mark the whole sentence", take }],
      () => question.context.map(([start, end]) => ({ start, end, kind: "context" })),
    );
    function take({ start, end }) {
      set("context", merged([...question.context, [start, end]]));
      list();
    }
    function list() {
      const shown = question.context.map(([start, end]) => ({ text: points.slice(start, end) }));
      places.replaceChildren(
        placeList("What the question builds on", shown, (at) => {
          set("context", question.context.filter((_, other) => other !== at));
          list();
          text.draw();
        }),
      );
    }
    list();
    return [
      el("p", { class: "label" }, "Mark the words of the paragraph that the question builds on"),
      ...text.nodes,
      places,
      room(`${field}.context`),
      choiceGroup({
        field: `${field}.links`,
        legend: "Links where you expect the rest",
        type: "checkbox",
        choices: linkChoices(paragraph, points),
        chosen: question.links,
        change: (values) => set("links", values),
      }),
    ];
  }

  const select = el(
    "select",
    {
      id: idOf(`${field}.paragraph`),
      "aria-describedby": problemId(`${field}.paragraph`),
      onchange: () => {
        Object.assign(question, { paragraph: select.value, context: [], links: [] });
        showParagraph();
        changed();
      },
    },
    el("option", { value: "" }, "Choose a paragraph"),
    ...paragraphs.map((one, at) => el("option", { value: one.id }, `${at + 1}. ${one.title}`)),
  );
  select.value = question.paragraph;
  const model = ask ? askModel(() => ask(field)) : null;
  showParagraph();
  return el(
    "fieldset",
    { class: "card question" },
    el("legend", {}, `Question ${index + 1}`),
    room(field),
    el(
      "div",
      { class: "field" },
      el("label", { for: idOf(`${field}.paragraph`) }, "About paragraph"),
      select,
      room(`${field}.paragraph`),
    ),
    textField({
      field: `${field}.text`,
      label: "Question",
      value: question.text,
      change: (value) => set("text", value),
      long: true,
      maxlength: "400",
      onchange: () => question.paragraph && question.text.trim() && model?.act(),
    }),
    model?.node,
    about,
  );
}

function askModel(ask) {
  const told = el("span", { role: "status", class: "loop-says" });
  const act = async () => {
    told.textContent = "The model reads …";
    try {
      told.textContent = (await ask()).message;
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const button = el("button", { type: "button", class: "quiet", onclick: act }, "Can the model answer it here?");
  return { act, node: el("p", { class: "marking" }, button, told) };
}

function linkChoices(paragraph, points) {
  const anchors = new Map();
  for (const link of paragraph.links) {
    anchors.set(link.target, anchors.get(link.target) ?? points.slice(link.start, link.end));
  }
  return [...anchors].map(([target, anchor]) => ({
    value: target,
    label: anchor === target ? target : `${anchor} → ${target}`,
  }));
}

// In the order of the text; those that touch become one.
function merged(spans) {
  const result = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
