// Questions that the server knows to be answered: looked for while nobody waits, shown once found.

import { suggest } from "./api.js";
import { percent } from "./confidence.js";
import { el } from "./dom.js";

export class Suggestions {
  // onAsk(question)
  constructor(onAsk) {
    this.onAsk = onAsk;
    this.looking = null;
  }

  // Whoever asks something wants no more of them.
  stop() {
    this.looking?.abort();
    this.looking = null;
  }

  // asked: the corpus, the answer that is followed up, the settings; waiting: what is said meanwhile.
  look(asked, heading, waiting = "") {
    this.stop();
    const { signal } = (this.looking = new AbortController());
    const said = el("p", { role: "status" }, waiting);
    const root = el("section", { class: "suggested", "aria-label": heading }, said);
    suggest(asked, signal)
      .then(({ questions }) => questions.length && root.replaceChildren(el("h3", {}, heading), this.list(questions)))
      .catch(() => {}) // nobody asked for them
      .finally(() => said.remove());
    return root;
  }

  list(questions) {
    return el(
      "ul",
      {},
      questions.map(({ question, document: title, confidence }) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "example", onclick: () => this.onAsk(question) },
            el("span", { dir: "auto" }, question),
            el("small", {}, `answered by ${title}${confidence === null ? "" : `, ${percent(confidence)} sure`}`),
          ),
        ),
      ),
    );
  }
}
