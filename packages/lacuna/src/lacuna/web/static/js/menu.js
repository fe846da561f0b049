// A window with what is not always needed: this dialog as a file, earlier ones, settings, keys.

import { sharedAddress } from "./address.js";
import { copyText } from "./clipboard.js";
import { count } from "./counts.js";
import { isChosen } from "./dialog-pane.js";
import { dialogHead } from "./dialogs.js";
import { el } from "./dom.js";
import { clearDialogs, deleteDialog, keptDialogs, renameDialog, titleOf } from "./kept-dialogs.js";
import { dialogMarkdown } from "./markdown.js";
import { settingsFields } from "./settings.js";

const KEYS = [
  ["/", "goes to the question"],
  ["Enter", "asks"],
  ["Shift + Enter", "begins a new line"],
  ["Esc", "closes a preview, a window or a list; goes from a document back to the dialog"],
  ["Arrow keys", "move in the drawing of what is around a document"],
  ["?", "shows this"],
];

export class Menu {
  // held(): the answers of the dialog that is open; onOpen(dialog): one that was kept; onChoices():
  // fields for a question with choices are wanted.
  constructor(dialog, { held, onOpen, onChoices }) {
    Object.assign(this, { dialog, held, onOpen, onChoices });
  }

  open({ atKeys = false } = {}) {
    if (this.dialog.open) return;
    const keys = el("h3", { tabindex: "-1" }, "Keys");
    const choices = () => {
      this.dialog.close();
      this.onChoices();
    };
    this.earlier = el("div", {});
    this.dialog.replaceChildren(
      dialogHead(this.dialog, "menu-title", "Dialogs and settings"),
      ...this.thisDialog(),
      el("h3", {}, "Earlier dialogs"),
      this.earlier,
      el("h3", {}, "Settings for the next questions"),
      settingsFields(),
      el("h3", {}, "Questions with choices"),
      el("p", {}, "A core fact and two or more choices: which of them fits is told from everyday knowledge."),
      el("button", { type: "button", class: "quiet", onclick: choices }, "Ask with choices"),
      keys,
      el("dl", { class: "keys" }, KEYS.map(([key, does]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)))),
      el("h3", {}, "This server"),
      el("p", {}, el("a", { href: "/status" }, "What it is, and its limits"), " · ", el("a", { href: "/docs" }, "The JSON interface")),
    );
    this.showEarlier();
    this.dialog.showModal();
    if (!atKeys) return;
    keys.focus();
    keys.scrollIntoView();
  }

  thisDialog() {
    const held = this.held();
    if (!held.length) return [];
    const last = held.findLast(({ id }) => id);
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
        button("Save as Markdown", () => save("dialog.md", "text/markdown", dialogMarkdown(held))),
        button("Save as JSON", () => save("dialog.json", "application/json", JSON.stringify({ answers: held }, null, 1))),
        button("Print", print),
        last ? button("Copy a link to it", () => copyText(sharedAddress(last), "The link")) : null,
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
    const choices = kept.answers.some(isChosen) ? ", with choices" : "";
    const about = `${kept.name}, ${count(kept.answers.length, "question")}${choices}, ${new Date(kept.when).toLocaleDateString("en", { dateStyle: "medium" })}`;
    const title = titleOf(kept);
    const small = (word, onclick) => el("button", { type: "button", class: "delete", "aria-label": `${word} ${title}`, onclick }, word);
    const remove = () => {
      deleteDialog(kept);
      this.showEarlier();
      this.dialog.querySelector("button").focus();
    };
    const entry = el(
      "li",
      {},
      el("button", { type: "button", onclick: open }, el("span", { dir: "auto" }, title), el("small", {}, about)),
      small("Rename", () => this.rename(kept, entry)),
      small("Delete", remove),
    );
    return entry;
  }

  // An empty name is the first question again.
  rename(kept, entry) {
    const input = el("input", { type: "text", dir: "auto", maxlength: "120", "aria-label": "Its name", value: titleOf(kept) });
    const submit = (event) => {
      event.preventDefault();
      renameDialog(kept, input.value.trim());
      this.showEarlier();
      this.dialog.querySelector("button").focus();
    };
    entry.replaceChildren(el("form", { class: "row", onsubmit: submit }, input, el("button", { class: "quiet" }, "Save")));
    input.focus();
    input.select();
  }
}

function save(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
