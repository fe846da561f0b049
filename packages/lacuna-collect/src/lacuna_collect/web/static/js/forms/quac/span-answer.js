// Answering with words of a section: one span or none, and what that means.

import { announce, el } from "/static/js/dom.js";
import { Points } from "/static/js/pieces.js";
import { choiceGroup, room, useStyle as useMarkingStyle } from "../iirc/fields.js";
import { markableText } from "../iirc/markable-text.js";

const MOST_TOKENS = 30;
const TOKEN = /[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]/gu;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
const YES_NO = [["y", "Yes"], ["n", "No"], ["x", "Neither"]];
const FOLLOW_UP = [["y", "Ask further about this"], ["m", "You may ask further"], ["n", "Ask about something else"]];
const STYLE = "/collect/static/css/quac.css";
const choices = (rows) => rows.map(([value, label]) => ({ value, label }));
const named = (rows, value) => rows.find(([one]) => one === value)?.[1] ?? "";

export function useStyle(root) {
  useMarkingStyle();
  root.classList.add("iirc", "quac");
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href: STYLE }));
}

// What an answer means, in words.
export function actsOf({ yesno, followup }) {
  const parts = [yesno === "x" ? "" : named(YES_NO, yesno), followup ? named(FOLLOW_UP, followup) : ""];
  return parts.filter(Boolean).join(" · ");
}

export const wordsOf = (answer) => (answer.kind === "none" ? "The section does not tell." : answer.text);

// Where whole words begin and end around what was selected; keys take signs along with a word.
function wholeWords(points, sentences, { start, end }) {
  const at = (index) => points.slice(index, index + 1);
  while (start > 0 && WORD.test(at(start - 1)) && WORD.test(at(start))) start -= 1;
  while (end < points.length && WORD.test(at(end - 1)) && WORD.test(at(end))) end += 1;
  if (at(end - 1) === "." && sentences.some((sentence) => sentence[1] === end)) end -= 1;
  while (end > start + 1 && /[,;:]/.test(at(end - 1))) end -= 1;
  return { start, end };
}

// section: {text, sentences}; changed() is called after every change. answer() is null until it is whole.
export function spanAnswer({ section, followUp, changed }) {
  const points = new Points(section.text);
  let answer = {};
  const chosen = el("p", { class: "chosen-span", role: "status" });
  const told = room("answer");
  const text = markableText(
    section,
    "The section",
    [{ label: "Take as the answer", take: (span) => set({ kind: "span", ...wholeWords(points, section.sentences, span) }) }],
    () => (answer.kind === "span" ? [{ start: answer.start, end: answer.end, kind: "answer" }] : []),
  );
  const none = el(
    "button",
    { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => set({ kind: "none" }) },
    "The section does not tell",
  );
  const acts = el("div", { class: "acts-chosen" });

  function set(change) {
    const { yesno, followup } = answer;
    answer = change.kind ? { yesno, followup, ...change } : { ...answer, ...change };
    tell();
    text.draw();
    changed();
  }
  function tell() {
    none.setAttribute("aria-pressed", String(answer.kind === "none"));
    told.textContent = "";
    if (answer.kind !== "span") {
      chosen.textContent = answer.kind ? "Your answer: the section does not tell." : "Nothing is marked yet.";
      return;
    }
    const words = points.slice(answer.start, answer.end);
    const tokens = words.match(TOKEN)?.length ?? 0;
    chosen.replaceChildren("Your answer: ", el("q", {}, words), ` (${tokens} of at most ${MOST_TOKENS} words and signs)`);
    if (tokens > MOST_TOKENS) told.textContent = "This is too long. Mark fewer words.";
  }
  function showActs() {
    const group = (field, legend, rows) =>
      choiceGroup({ field, legend, type: "radio", choices: choices(rows), chosen: [answer[field]], change: ([value]) => set({ [field]: value }) });
    acts.replaceChildren(
      group("yesno", "Is that a yes or a no?", YES_NO),
      ...(followUp ? [group("followup", "Should the student go on about this?", FOLLOW_UP)] : []),
    );
  }
  function clear() {
    answer = { yesno: "x", followup: followUp ? "m" : undefined };
    showActs();
    tell();
    text.draw();
  }
  clear();
  return {
    reading: text.nodes,
    fields: [el("p", { class: "buttons" }, none), chosen, told, acts],
    answer: () => (answer.kind ? { ...answer } : null),
    clear,
    refuse(message) {
      told.textContent = message;
      announce(message);
    },
  };
}
