// A window with what is not always needed: this dialog as a file, earlier ones, settings, keys.

import { sharedAddress } from "./address.js";
import { copyText } from "./clipboard.js";
import { dialogHead } from "./dialogs.js";
import { el } from "./dom.js";
import { clearDialogs, keptDialogs } from "./kept-dialogs.js";
import { dialogMarkdown } from "./markdown.js";
import { settingsFields } from "./settings.js";

const KEYS = [
  ["/", "goes to the question"],
  ["Enter", "asks"],
  ["Shift + Enter", "begins a new line"],
  ["Esc", "closes a window or a list; on a narrow page goes back to the dialog"],
  ["?", "shows this"],
];

export class Menu {
  // answers(): of the dialog that is open; onOpen(dialog): one that was kept.
  constructor(dialog, { answers, onOpen }) {
    Object.assign(this, { dialog, answers, onOpen });
  }

  open({ atKeys = false } = {}) {
    if (this.dialog.open) return;
    const keys = el("h3", { tabindex: "-1" }, "Keys");
    this.earlier = el("div", {});
    this.dialog.replaceChildren(
      dialogHead(this.dialog, "menu-title", "Dialogs and settings"),
      ...this.thisDialog(),
      el("h3", {}, "Earlier dialogs"),
      this.earlier,
      el("h3", {}, "Settings for the next questions"),
      settingsFields(),
      keys,
      el("dl", { class: "keys" }, KEYS.map(([key, does]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)))),
    );
    this.showEarlier();
    this.dialog.showModal();
    if (!atKeys) return;
    keys.focus();
    keys.scrollIntoView();
  }

  thisDialog() {
    const answers = this.answers();
    if (!answers.length) return [];
    const button = (text, onclick) => el("button", { type: "button", class: "quiet", onclick }, text);
    const print = () => {
      this.dialog.close();
      window.print();
    };
    return [
      el("h3", {}, "This dialog"),
      el(
        "div",
        { class: "menu-tools" },
        button("Save as Markdown", () => save("dialog.md", "text/markdown", dialogMarkdown(answers))),
        button("Save as JSON", () => save("dialog.json", "application/json", JSON.stringify({ answers }, null, 1))),
        button("Print", print),
        button("Copy a link to it", () => copyText(sharedAddress(answers.at(-1)), "The link")),
      ),
    ];
  }

  showEarlier() {
    const kept = keptDialogs();
    if (!kept.length) return this.earlier.replaceChildren(el("p", {}, "None yet. They are kept in this browser alone."));
    const clear = () => {
      clearDialogs();
      this.showEarlier();
      this.dialog.querySelector("button").focus();
    };
    this.earlier.replaceChildren(
      el("ul", { class: "corpus-list" }, kept.map((dialog) => this.entry(dialog))),
      el("p", { class: "kept-where" }, "They are kept in this browser alone. ", el("button", { type: "button", class: "plain", onclick: clear }, "Clear all")),
    );
  }

  entry(kept) {
    const open = () => {
      this.dialog.close();
      this.onOpen(kept);
    };
    const count = kept.answers.length;
    const about = `${kept.name}, ${count} ${count === 1 ? "question" : "questions"}, ${new Date(kept.when).toLocaleDateString("en", { dateStyle: "medium" })}`;
    return el("li", {}, el("button", { type: "button", onclick: open }, el("span", { dir: "auto" }, kept.answers[0].question), el("small", {}, about)));
  }
}

function save(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
