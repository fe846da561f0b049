// The left side: a document, or where to begin.

import { findTitles, getDocument } from "./api.js";
import { addressOf } from "./address.js";
import { count } from "./counts.js";
import { backlinks } from "./backlinks.js";
import { documentText } from "./document-text.js";
import { el } from "./dom.js";
import { followedLinks, wayTo } from "./followed.js";
import { sourceLine } from "./source-line.js";
import { unreadInWords, unreadList } from "./unread.js";

const TITLES_SHOWN = 90;
const NO_CORPUS = ["corpus-unknown", "corpus-gone"];

export class DocumentPane {
  // onAskAbout(title); onOther: another corpus is to be chosen.
  constructor(root, { onAskAbout, onOther }) {
    Object.assign(this, { root, onAskAbout, onOther });
    this.shown = null;
    this.wanted = 0;
  }

  // answered: the answer whose links and quotes are highlighted, or null; askedOf: the title that
  // questions are asked of, or null; graph: what is around it instead of its text; top: how far it was
  // scrolled when it was last here.
  async show(corpus, title, { at = null, answered = null, askedOf = null, graph = false, top = null }) {
    const turn = ++this.wanted;
    const same = this.shown?.corpus === corpus.id && this.shown.title === title;
    const doc = same ? this.shown : await getDocument(corpus.id, title);
    const around = graph ? await drawAround(corpus.id, doc.title, answered) : null;
    if (turn !== this.wanted) return; // something else was asked for meanwhile
    this.shown = doc;
    const hadFocus = this.root.contains(document.activeElement);
    const lit = lights(doc, answered, at);
    const head = this.head(corpus, doc, { answered, askedOf, lit, graph });
    const text = around ?? el("article", { class: "document-text", dir: "auto" }, documentText(doc, lit, answered?.id));
    this.root.replaceChildren(head, text, ...(graph ? [] : [backlinks(doc, answered?.id)]));
    const here = text.querySelector(".here");
    if (here && top === null) return goTo(here);
    if (hadFocus || at) this.root.focus({ preventScroll: true });
    if (top !== null || !same) this.root.scrollTop = top ?? 0;
  }

  async showStart(corpus, { top = null } = {}) {
    const turn = ++this.wanted;
    const { titles } = await findTitles(corpus.id, "", TITLES_SHOWN);
    if (turn !== this.wanted) return;
    this.shown = null;
    const more = corpus.documents - titles.length;
    this.root.replaceChildren(
      el(
        "div",
        { class: "start" },
        el("h2", {}, corpus.name),
        el(
          "p",
          {},
          `${count(corpus.documents, "document")}. Open one to ask about it, or ask ` +
            "the whole corpus: a place to begin will be found.",
        ),
        el("h3", {}, "Documents"),
        el(
          "ul",
          { class: "title-columns" },
          titles.map((title) =>
            el("li", {}, el("a", { href: addressOf({ corpus: corpus.id, doc: title }) }, title)),
          ),
        ),
        more > 0 ? el("p", {}, `and ${more.toLocaleString("en")} more: search their titles.`) : null,
        corpus.unread
          ? el("details", {}, el("summary", {}, `${unreadInWords(corpus)}.`), unreadList(corpus))
          : null,
      ),
    );
    this.root.scrollTop = top ?? 0;
  }

  // What is shown may have changed: it is fetched again when it is next shown.
  forget() {
    this.shown = null;
  }

  showProblem(problem) {
    this.wanted++;
    this.shown = null;
    const other = () => el("button", { type: "button", class: "quiet", onclick: this.onOther }, "Open or upload documents");
    this.root.replaceChildren(
      el(
        "div",
        { class: "start" },
        el("p", { class: "problem", role: "alert" }, problem.message),
        NO_CORPUS.includes(problem.code) ? other() : null,
      ),
    );
  }

  head(corpus, doc, { answered, askedOf, lit, graph }) {
    const all = el("a", { href: addressOf({ corpus: corpus.id, answer: answered?.id }) }, corpus.name);
    const over = [all];
    if (answered?.context && answered.context !== doc.title) {
      const back = { corpus: corpus.id, doc: answered.context, answer: answered.id };
      over.push(" · ", el("a", { href: addressOf(back) }, `Back to ${answered.context}`));
    }
    const actions = [];
    if (askedOf === doc.title) actions.push(el("span", {}, "Questions are asked of this document."));
    else {
      const choose = () => this.onAskAbout(doc.title);
      actions.push(
        el("button", { type: "button", class: "quiet", onclick: choose }, "Ask about this document"),
      );
    }
    const other = addressOf({ corpus: corpus.id, doc: doc.title, graph: !graph, answer: answered?.id });
    actions.push(el("a", { href: other }, graph ? "Show its text" : "Show what is around it"));
    if (lit.followed.size && !graph) actions.push(el("span", {}, "Links that were followed are highlighted."));
    return el(
      "header",
      { class: "document-head" },
      el("p", { class: "over" }, over),
      el("h2", {}, doc.title),
      sourceLine(doc.place, doc.place?.file),
      el("div", { class: "actions" }, actions),
    );
  }
}

// Few look at it: it is loaded when somebody does.
async function drawAround(...of) {
  const { neighbourhood } = await import("./neighbourhood.js");
  return neighbourhood(...of);
}

// Whoever followed a quote goes on from it, with eyes and with keys.
function goTo(here) {
  here.tabIndex = -1;
  here.focus({ preventScroll: true });
  here.scrollIntoView({ block: "center" });
}

function lights(doc, answered, at) {
  const lit = { followed: new Map(), led: new Set(), quotes: [], at };
  if (!answered) return lit;
  const quotes = [...answered.quotes, answered.nearest_quote];
  lit.quotes = quotes.filter((quote) => quote?.document === doc.title);
  const light = (link) => link.source === doc.title && lit.followed.set(`${link.start}-${link.end}`, link);
  followedLinks(answered).forEach(light);
  for (const link of answered.quotes.flatMap((quote) => wayTo(answered, quote))) {
    if (light(link)) lit.led.add(`${link.start}-${link.end}`);
  }
  return lit;
}
