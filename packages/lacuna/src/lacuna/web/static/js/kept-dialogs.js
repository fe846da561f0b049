// Dialogs that were held, kept in this browser alone until they are cleared.

import { followedLinks } from "./followed.js";

const MOST = 30;
let key = "dialogs";

// Where several people use a server, each has dialogs of their own, in the same browser too.
export const keepDialogsOf = (person) => (key = person ? `dialogs-${person}` : "dialogs");

// Each: {corpus, name, when, answers}; the newest first. What cannot be read is as good as none.
export function keptDialogs() {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(({ answers }) => answers?.length) : [];
  } catch {
    return [];
  }
}

export const clearDialogs = () => localStorage.removeItem(key);

// A dialog is known by its first answer; one to a question with choices has no id, but its words.
const keyOf = ([{ id, question, fact }]) => id ?? `${question}\n${fact}`;

export function keepDialog(corpus, answers) {
  const { same: [before] = [], other = [] } = Object.groupBy(keptDialogs(), (dialog) => (isOf(dialog, answers) ? "same" : "other"));
  const kept = { corpus: corpus.id, name: corpus.name, title: before?.title, when: Date.now(), answers: answers.map(withoutSteps) };
  store([kept, ...other].slice(0, MOST));
}

const isOf = (dialog, answers) => keyOf(dialog.answers) === keyOf(answers);

export const titleOf = ({ title, answers }) => title || answers[0].question;

export const renameDialog = (renamed, title) =>
  store(keptDialogs().map((dialog) => (isOf(dialog, renamed.answers) ? { ...dialog, title } : dialog)));

export const deleteDialog = ({ answers }) => store(keptDialogs().filter((dialog) => !isOf(dialog, answers)));

// The answers up to one of them, with the choices after it; null where it is not kept.
export function keptUpTo(answer) {
  for (const { answers } of keptDialogs()) {
    const place = answers.findIndex(({ id }) => id === answer);
    const next = answers.findIndex(({ id }, at) => at > place && id);
    if (place >= 0) return answers.slice(0, next < 0 ? answers.length : next);
  }
  return null;
}

// The steps are the most of an answer, and the least of what is looked up again.
const withoutSteps = (answered) => ({ ...answered, steps: [], followed: followedLinks(answered) });

// The oldest make room where the browser has no more.
function store(dialogs) {
  if (!dialogs.length) return clearDialogs();
  for (let count = dialogs.length; count > 0; count--) {
    try {
      return localStorage.setItem(key, JSON.stringify(dialogs.slice(0, count)));
    } catch {
      continue;
    }
  }
}
