// A question about two paragraphs: a led dialog, a step at a time.

import { announce, el } from "/static/js/dom.js";
import { byField, choice, paragraphs, problemNote, setProblem, withStyle } from "./hotpotqa-paragraphs.js";
import { selectedText } from "./selected-text.js";

const YES_NO = [["yes", "Yes"], ["no", "No"]];

export function show(root, { item, draft, problems, change, loop }) {
  withStyle();
  const given = item.given_question ?? "";
  const work = {
    answer: typeof draft?.answer === "string" ? draft.answer : "",
    supporting: Array.isArray(draft?.supporting) ? [...draft.supporting] : [],
  };
  if (!given) work.question = typeof draft?.question === "string" ? draft.question : "";
  const told = () => {
    lead();
    change({ ...work, supporting: work.supporting.map((place) => [...place]) });
  };

  const asked = given ? givenQuestion(given) : questionField(work, told);
  const answered = item.yes_no ? yesNoField(work, told) : answerField(work, told);
  const supported = supportingField(item, work);
  const text = paragraphs(item, (place, at) => box(item, work, place, at, () => {
    supported.list();
    told();
  }));
  const model = loop ? modelStep(loop, work) : null;
  const general = problemNote("hotpotqa-problem");
  const steps = [
    step("Read", item.hints.read),
    step(given ? "The question" : "Ask", given ? "" : item.hints.question, asked.field, model),
    step("Answer", item.hints.answer, answered.field),
    step("Support", item.hints.supporting, supported.field),
  ];
  let all = Boolean(work.supporting.length);

  // The next step comes when there is something in the one before; none goes away again.
  function lead() {
    const ready = [true, true, Boolean(given || work.question.trim()), Boolean(work.answer.trim())];
    steps.forEach((node, at) => {
      const wanted = all || ready.slice(0, at + 1).every(Boolean);
      if (!wanted || !node.hidden) return;
      node.hidden = false;
      if (node.isConnected) announce(node.textContent);
    });
  }

  function mark(found) {
    const messages = byField(found);
    if (messages.size) all = true;
    lead();
    asked.mark(messages.get("question"));
    answered.mark(messages.get("answer"));
    supported.mark(messages.get("supporting"));
    setProblem(general, general, messages.get(""));
  }

  steps.slice(2).forEach((node) => (node.hidden = true));
  lead();
  supported.list();
  root.replaceChildren(
    el("div", { class: "hotpotqa" }, text, el("ol", { class: "led-dialog" }, ...steps), general),
  );
  if (problems?.length) mark(problems);
  return { mark };
}

function step(name, hint, ...content) {
  return el(
    "li",
    {},
    el("h2", {}, name),
    hint ? el("p", { class: "hint", dir: "auto" }, hint) : null,
    ...content.filter(Boolean),
  );
}

function givenQuestion(text) {
  return { field: el("p", { class: "given-question", dir: "auto" }, text), mark() {} };
}

function field(id, label, control, ...more) {
  const note = problemNote(`${id}-problem`);
  control.id = id;
  control.setAttribute("aria-describedby", note.id);
  const all = el("div", { class: "field" }, el("label", { for: id }, label), control, ...more, note);
  return { field: all, mark: (message) => setProblem(control, note, message) };
}

function questionField(work, told) {
  const area = el("textarea", { rows: "3", maxlength: "5000", dir: "auto", autocomplete: "off" });
  area.value = work.question;
  area.addEventListener("input", () => {
    work.question = area.value.replace(/\s*\n\s*/g, " ");
    told();
  });
  return field("hotpotqa-question", "Your question", area);
}

function answerField(work, told) {
  const input = el("input", { type: "text", maxlength: "5000", dir: "auto", autocomplete: "off" });
  input.value = work.answer;
  const set = () => {
    work.answer = input.value;
    told();
  };
  input.addEventListener("input", set);
  const selected = selectedText("two-paragraphs");
  const take = () => {
    const text = selected();
    if (!text) {
      announce("Nothing is selected in the paragraphs.");
      return;
    }
    input.value = text;
    set();
    announce(`The answer is: ${text}`);
  };
  const button = el("button", { type: "button", class: "quiet", onclick: take }, "Take what is selected above");
  return field("hotpotqa-answer", "The answer, as the paragraph has it", input, button);
}

function yesNoField(work, told) {
  return choice("The answer", "hotpotqa-answer", YES_NO, work.answer, (value) => {
    work.answer = value;
    told();
  });
}

function has(work, place, at) {
  return work.supporting.some((one) => Array.isArray(one) && one[0] === place && one[1] === at);
}

function box(item, work, place, at, told) {
  const input = el("input", { type: "checkbox" });
  input.checked = has(work, place, at);
  input.addEventListener("change", () => {
    work.supporting = work.supporting.filter((one) => one[0] !== place || one[1] !== at);
    if (input.checked) work.supporting.push([place, at]);
    work.supporting.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    told();
  });
  const what = `Sentence ${at + 1} of ${item.paragraphs[place].title} supports the answer`;
  input.setAttribute("aria-label", what);
  return el("label", { class: "sentence-box" }, input, String(at + 1));
}

function supportingField(item, work) {
  const note = problemNote("hotpotqa-supporting-problem");
  const listed = el("ul", { class: "supporting" });
  const list = () => {
    const rows = work.supporting.map(([place, at]) => {
      const { title, sentences } = item.paragraphs[place] ?? {};
      return sentences?.[at] === undefined ? null : el("li", { dir: "auto" }, el("b", {}, `${title}, ${at + 1}`), ` ${sentences[at]}`);
    });
    listed.replaceChildren(...rows.filter(Boolean));
    if (!work.supporting.length) listed.append(el("li", { class: "nothing" }, "No sentence is marked yet."));
  };
  return { field: el("div", {}, listed, note), list, mark: (message) => setProblem(note, note, message) };
}

function modelStep(loop, work) {
  const said = el("p", { class: "model-says", role: "status" });
  const ask = async () => {
    said.textContent = "The model reads …";
    try {
      const reply = await loop(work, "question");
      said.textContent = reply.message;
      said.classList.toggle("single-hop", Boolean(reply.single_hop));
    } catch (error) {
      said.textContent = error.message;
    }
  };
  const button = el("button", { type: "button", class: "quiet", onclick: ask }, "Does one paragraph answer it? Ask the model");
  return el("div", { class: "model-in-loop" }, button, said);
}
