// The page: its parts, and what goes between them.

import { addressOf, readAddress } from "./address.js";
import { getCorpus, getDialog, getServer } from "./api.js";
import { showAskedOf } from "./asked-of.js";
import { ChoicesForm } from "./choices-form.js";
import { Choosing } from "./choosing.js";
import { count } from "./counts.js";
import { CorpusDialog } from "./corpus-dialog.js";
import { DialogPane } from "./dialog-pane.js";
import { DocumentPane } from "./document-pane.js";
import { announce } from "./dom.js";
import { keepDialog, keptUpTo } from "./kept-dialogs.js";
import { setUpKeys } from "./keys.js";
import { Menu } from "./menu.js";
import { QuestionBox } from "./question-box.js";
import { settings } from "./settings.js";
import { setUpTheme } from "./theme.js";
import { setUpTitleSearch } from "./title-search.js";
import { setUpViews, showView } from "./views.js";
import { watchCorpus } from "./watching.js";

const $ = (id) => document.getElementById(id);
const box = $("question");
let corpus = null;
let askedOf = null; // the title that questions are asked of; null for the whole corpus

const documents = new DocumentPane($("document"), { onAskAbout: askAbout });
const typing = new QuestionBox(box, { counter: $("ask-length"), problem: $("ask-problem") });
const dialog = new DialogPane($("turns"), {
  onAnswer: showAnswer,
  onEdit: (question) => typing.put(question),
  onFailed: (question) => typing.put(question, { over: false }),
  onRetry: (question) => typing.drop(question),
});
const chooser = new CorpusDialog($("corpora"), { onChoose: (chosen) => enter(chosen) });

const menu = new Menu($("menu"), {
  answers: () => dialog.answers,
  onOpen: ({ corpus: id, answers }) => go({ corpus: id, doc: answers.at(-1).context, answer: answers.at(-1).id }),
});

const choosing = new Choosing({
  form: new ChoicesForm($("box"), box, $("choice-fields")),
  dialogs: dialog,
  problem: $("ask-problem"),
  corpus: () => corpus.id,
  go: (place) => go(place),
  onChange: () => updateAskedOf(),
});

const go = (place) => {
  const address = addressOf(place);
  if (address === location.hash) route();
  else location.hash = address;
};

function askAbout(title) {
  askedOf = title;
  updateAskedOf();
  route();
  showView("dialog");
  box.focus();
}

function updateAskedOf() {
  showAskedOf($("asked-of"), {
    title: askedOf,
    inDialog: dialog.last !== null,
    begun: dialog.begun,
    withChoices: choosing.form.isOpen,
    onChoices: () => choosing.toggle(),
    onWhole: () => {
      askedOf = null;
      updateAskedOf();
      route();
      box.focus();
    },
    onNew: startAnew,
    onMore: () => menu.open(),
  });
}

function startAnew() {
  dialog.clear(corpus, askExample);
  updateAskedOf();
  go({ corpus: corpus.id, doc: readAddress().doc });
  box.focus();
}

function enter(chosen) {
  corpus = chosen;
  $("updated").textContent = "";
  askedOf = null;
  $("corpus-name").textContent = corpus.name;
  dialog.clear(corpus, askExample);
  updateAskedOf();
  announce(`${corpus.name}, ${count(corpus.documents, "document")}.`);
  go({ corpus: corpus.id });
}

function askExample({ question, title }) {
  askedOf = title;
  ask(question);
}

async function ask(question) {
  updateAskedOf();
  await dialog.ask(question, { corpus: corpus.id, title: askedOf, ...settings() });
  updateAskedOf();
}

function showAnswer(answered) {
  keepDialog(corpus, dialog.answers);
  go({ corpus: answered.corpus, doc: answered.context, answer: answered.id });
}

// Show what the address says.
async function route() {
  const wanted = readAddress();
  try {
    if (wanted.corpus && wanted.corpus !== corpus.id) {
      enterQuietly(await getCorpus(wanted.corpus));
    }
    if (wanted.answer && !dialog.find(wanted.answer)) await reopen(wanted);
    choosing.follow(wanted);
    const answered = wanted.answer ? dialog.find(wanted.answer) : null;
    if (wanted.at) showView("document"); // before it is scrolled: what is hidden cannot be
    if (wanted.doc) await documents.show(corpus, wanted.doc, { at: wanted.at, answered, askedOf });
    else await documents.showStart(corpus);
    document.title = wanted.doc ? `${wanted.doc} · Lacuna` : "Lacuna";
  } catch (problem) {
    documents.showProblem(problem);
  }
}

function showAgain() {
  documents.forget();
  route();
}

function enterQuietly(found) {
  corpus = found;
  $("updated").textContent = "";
  askedOf = null;
  $("corpus-name").textContent = corpus.name;
  dialog.clear(corpus, askExample);
  updateAskedOf();
}

// A shared answer; one that the server has forgotten is kept here, or asked again.
async function reopen({ answer, question, doc }) {
  try {
    dialog.restore((await getDialog(answer)).answers);
    updateAskedOf();
  } catch (problem) {
    const kept = problem.code === "answer-gone" ? keptUpTo(answer) : null;
    if (kept) {
      dialog.restore(kept);
      return updateAskedOf();
    }
    if (problem.code !== "answer-gone" || !question) throw problem;
    askedOf = doc;
    ask(question);
  }
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (choosing.form.isOpen) return choosing.submit();
  if (!typing.check()) return;
  const question = typing.typed;
  typing.clear();
  ask(question);
});
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("ask").requestSubmit();
  }
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  showView("dialog");
  box.focus();
});
$("corpus-button").addEventListener("click", () => chooser.open(corpus.id).catch((problem) => announce(problem.message)));
window.addEventListener("hashchange", route);

setUpTheme($("theme"));
setUpViews();
setUpKeys(box, () => menu.open({ atKeys: true }));
setUpTitleSearch($("titles"), $("title-list"), {
  corpus: () => corpus.id,
  onChoose: (title, at) => {
    askedOf = title;
    updateAskedOf();
    showView("document");
    $("document").focus();
    go({ corpus: corpus.id, doc: title, at, answer: dialog.last?.id });
  },
});

try {
  const server = await getServer();
  typing.learn(server);
  dialog.takesFeedback = server.feedback;
  choosing.learn(server);
  if (server.watches) watchCorpus({ current: () => corpus, note: $("updated"), onChange: showAgain });
  const first = server.corpora.find(({ id }) => id === server.default) ?? server.corpora[0];
  enterQuietly(first);
  await route();
} catch (problem) {
  documents.showProblem(problem);
}
