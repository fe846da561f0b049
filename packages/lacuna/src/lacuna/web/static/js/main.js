// The page: its parts, and what goes between them.

import { addressOf, readAddress } from "./address.js";
import { getCorpus, getDialog, getServer } from "./api.js";
import { showAskedOf } from "./asked-of.js";
import { ChoicesForm } from "./choices-form.js";
import { Choosing } from "./choosing.js";
import { count } from "./counts.js";
import { CorpusDialog } from "./corpus-dialog.js";
import { DialogPane, isChosen } from "./dialog-pane.js";
import { DocumentPane } from "./document-pane.js";
import { announce } from "./dom.js";
import { setUpDropping } from "./dropping.js";
import { keepDialog, keepDialogsOf, keptDialogs, keptUpTo } from "./kept-dialogs.js";
import { setUpKeys } from "./keys.js";
import { Menu } from "./menu.js";
import { QuestionBox } from "./question-box.js";
import { learnModels, settings } from "./settings.js";
import { setUpTheme } from "./theme.js";
import { setUpTitleSearch } from "./title-search.js";
import { unreadInWords } from "./unread.js";
import { setUpPreviews } from "./previews.js";
import { putView, setUpViews, showView } from "./views.js";
import { noteScrolling, noteVisit, visit } from "./visits.js";
import { watchCorpus } from "./watching.js";

const $ = (id) => document.getElementById(id);
const box = $("question");
let corpus = null;
let home = null; // the corpus of an address that names none: what was asked last, or else the server's own
let askedOf = null; // the title that questions are asked of; null for the whole corpus
let routed = 0; // how often the page went somewhere
let address = null; // where it went last

const documents = new DocumentPane($("document"), { onAskAbout: askAbout, onOther: () => chooseCorpus() });
const typing = new QuestionBox(box, { counter: $("ask-length"), problem: $("ask-problem") });
const dialog = new DialogPane($("turns"), {
  onAnswer: showAnswer,
  onEdit: (question) => typing.put(question),
  onFailed: (question) => typing.put(question, { over: false }),
  onRetry: (question) => typing.drop(question),
  onSuggested: (question) => askExample({ question, title: null }),
  onOwn: () => chooseCorpus(),
  aboutChoice: (asked) => choosing.about(asked).about,
});
const chooser = new CorpusDialog($("corpora"), { onChoose: (chosen) => enter(chosen) });

const menu = new Menu($("menu"), {
  held: () => dialog.held,
  onOpen: reopenKept,
  onChoices: () => choosing.form.isOpen || choosing.toggle(),
});

const choosing = new Choosing({
  form: new ChoicesForm($("box"), box, $("choice-fields")),
  dialogs: dialog,
  problem: $("ask-problem"),
  corpus: () => corpus.id,
  go: (place) => go(place),
  onAnswer: () => keepDialog(corpus, dialog.held),
  onChange: () => updateAskedOf(),
});

const go = (place) => {
  const to = addressOf(place);
  if (to === location.hash) route();
  else location.hash = to;
};

// Not where the dialog that is shown was about a corpus that is gone.
const goesOn = () => dialog.last?.corpus === corpus.id;

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
    inDialog: goesOn(),
    begun: dialog.begun,
    withChoices: choosing.form.isOpen,
    onChoices: () => choosing.toggle(),
    onWhole: () => askAbout(null),
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
  enterQuietly(chosen);
  announce(`${corpus.name}, ${count(corpus.documents, "document")}${corpus.unread ? `; ${unreadInWords(corpus)}` : ""}.`);
  go({ corpus: corpus.id });
}

// files: a promise of what was dropped.
function chooseCorpus(files = null) {
  chooser.open(corpus.id, files).catch((problem) => announce(problem.message));
}

function askExample({ question, title }) {
  askedOf = title;
  ask(question);
}

async function ask(question) {
  if (dialog.last && !goesOn()) dialog.clear(corpus, askExample);
  updateAskedOf();
  await dialog.ask(question, { corpus: corpus.id, title: askedOf, ...settings() });
  updateAskedOf();
}

function showAnswer(answered) {
  keepDialog(corpus, dialog.held);
  go({ corpus: answered.corpus, doc: answered.context, answer: answered.id });
}

// Show what the address says; returning: by Back or Forward, so that all else is as it was, too.
async function route(returning = false) {
  const turn = ++routed;
  const here = (address = location.hash);
  const isOver = () => turn !== routed || location.hash !== here; // something else was asked for meanwhile
  const wanted = readAddress();
  const seen = visit();
  try {
    const id = wanted.corpus ?? home.id;
    const found = id === corpus.id ? corpus : await getCorpus(id).catch((problem) => isOver() || withKept(wanted.answer, problem));
    if (isOver()) return;
    if (found !== corpus) enterQuietly(found);
    if (returning) goBackTo(seen);
    if (wanted.answer && !dialog.find(wanted.answer)) await reopen(wanted, isOver);
    if (isOver()) return;
    choosing.follow(wanted);
    const answered = wanted.answer ? dialog.find(wanted.answer) : null;
    if (returning && answered) dialog.turnTo(answered.id);
    if (wanted.at && !seen) putView("document"); // before it is scrolled: what is hidden cannot be
    if (!returning) noteVisit({ view: document.body.dataset.view, askedOf, blank: dialog.isBlank });
    const top = seen?.top ?? null;
    const { at, graph } = wanted;
    if (wanted.doc) await documents.show(corpus, wanted.doc, { at, answered, askedOf, graph, top });
    else await documents.showStart(corpus, { top });
    if (isOver()) return;
    noteVisit({ top: $("document").scrollTop });
    document.title = wanted.doc ? `${wanted.doc} · Lacuna` : "Lacuna";
  } catch (problem) {
    if (!isOver()) documents.showProblem(problem);
  }
}

function goBackTo({ view, askedOf: title, blank }) {
  askedOf = title;
  putView(view);
  if (blank && dialog.begun && !dialog.isBusy) dialog.clear(corpus, askExample); // Forward brings it back
  updateAskedOf();
}

function showAgain() {
  documents.forget();
  route();
}

function enterQuietly(found, gone = null) {
  corpus = found;
  $("updated").textContent = "";
  askedOf = null;
  $("corpus-name").textContent = corpus.name;
  dialog.clear(corpus, askExample, gone);
  updateAskedOf();
}

// What was asked of a corpus that is gone can still be read, beside the word that it is.
function withKept(answer, problem) {
  const kept = keptUpTo(answer);
  if (kept) dialog.restore(kept);
  updateAskedOf();
  throw problem;
}

// Asked of an upload that this one replaced.
const here = (answers) => answers.map((one) => ({ ...one, corpus: corpus.id }));

// Questions with choices have no address of their own in a dialog, so they come from here.
async function reopenKept({ corpus: id, name, answers }) {
  const last = answers.findLast((one) => one.id);
  const found = id === corpus.id ? corpus : await getCorpus(id).catch(() => null);
  const again = !found && name === corpus.name; // uploaded again
  if (!again && !answers.some(isChosen)) return go({ corpus: id, doc: last.context, answer: last.id });
  if (found) enterQuietly(found); // what was chosen does not need it
  dialog.restore(again ? here(answers) : answers);
  if (again) keepDialog(corpus, dialog.held);
  updateAskedOf();
  go({ corpus: corpus.id, doc: last?.context, answer: last?.id });
}

// A shared answer; one that the server has forgotten is kept here, or asked again.
async function reopen({ answer, question, doc }, isOver) {
  const kept = keptUpTo(answer);
  try {
    const { answers } = await getDialog(answer);
    if (isOver()) return;
    // The server does not know what was chosen in between.
    dialog.restore(here(kept?.some(isChosen) ? kept.map((one) => answers.find(({ id }) => one.id === id) ?? one) : answers));
    updateAskedOf();
  } catch (problem) {
    if (isOver()) return;
    if (kept && problem.code === "answer-gone") {
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
$("corpus-button").addEventListener("click", () => chooseCorpus());
setUpDropping(chooseCorpus);
window.addEventListener("popstate", () => visit() && route(true));
window.addEventListener("hashchange", () => location.hash === address || route());
noteScrolling($("document"));

setUpTheme($("theme"));
setUpPreviews();
setUpViews(() => {
  noteVisit({ top: null });
  route();
});
setUpKeys(box, () => menu.open({ atKeys: true }));
setUpTitleSearch($("titles"), $("title-list"), {
  corpus: () => corpus.id,
  onChoose: (title, at) => {
    askedOf = title;
    updateAskedOf();
    putView("document");
    $("document").focus();
    go({ corpus: corpus.id, doc: title, at, answer: dialog.last?.id });
  },
});

try {
  const server = await getServer();
  keepDialogsOf(server.person);
  typing.learn(server);
  learnModels(server);
  dialog.takesFeedback = server.feedback;
  choosing.learn(server);
  if (server.watches) watchCorpus({ current: () => corpus, note: $("updated"), onChange: showAgain });
  const { corpus: last, name } = keptDialogs()[0] ?? {};
  home = last ? await getCorpus(last).catch(() => null) : null;
  const gone = last && !home ? name : null;
  home ??= server.corpora.find(({ id }) => id === server.default) ?? server.corpora[0];
  enterQuietly(home, gone);
  const { doc, answer } = readAddress();
  if (doc && !answer) putView("document");
  await route(visit() !== null);
} catch (problem) {
  documents.showProblem(problem);
}
