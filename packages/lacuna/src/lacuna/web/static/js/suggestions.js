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
    this.show(suggest(asked, signal), root, heading)
      .catch(() => {}) // nobody asked for them
      .finally(() => said.remove());
    return root;
  }

  async show(found, root, heading) {
    const list = el("ul");
    for await (const question of found) {
      if (!list.isConnected) root.prepend(el("h3", {}, heading), list);
      list.append(this.item(question));
    }
  }

  item({ question, document: title, confidence }) {
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "example", onclick: () => this.onAsk(question) },
        el("span", { dir: "auto" }, question),
        el("small", {}, `answered by ${title}${confidence === null ? "" : `, ${percent(confidence)} sure`}`),
      ),
    );
  }
}
