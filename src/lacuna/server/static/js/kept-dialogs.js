// Dialogs that were held, kept in this browser alone until they are cleared.

const KEY = "dialogs";
const MOST = 30;

// Each: {corpus, name, when, answers}; the newest first. What cannot be read is as good as none.
export function keptDialogs() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(({ answers }) => answers?.length) : [];
  } catch {
    return [];
  }
}

export const clearDialogs = () => localStorage.removeItem(KEY);

// A dialog is known by its first answer.
export function keepDialog(corpus, answers) {
  const first = answers[0].id;
  const others = keptDialogs().filter((dialog) => dialog.answers[0].id !== first);
  const kept = { corpus: corpus.id, name: corpus.name, when: Date.now(), answers: answers.map(withoutSteps) };
  store([kept, ...others].slice(0, MOST));
}

// The answers up to one of them; null where it is not kept.
export function keptUpTo(answer) {
  for (const { answers } of keptDialogs()) {
    const place = answers.findIndex(({ id }) => id === answer);
    if (place >= 0) return answers.slice(0, place + 1);
  }
  return null;
}

// The steps are the most of an answer, and the least of what is looked up again.
const withoutSteps = (answered) => ({ ...answered, steps: [] });

// The oldest make room where the browser has no more.
function store(dialogs) {
  for (let count = dialogs.length; count > 0; count--) {
    try {
      return localStorage.setItem(KEY, JSON.stringify(dialogs.slice(0, count)));
    } catch {
      continue;
    }
  }
}
