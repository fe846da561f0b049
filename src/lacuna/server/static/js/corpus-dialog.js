// Choose, open or upload a corpus.

import { getCorpus, getServer, openFolder, upload } from "./api.js";
import { dialogHead } from "./dialogs.js";
import { announce, el } from "./dom.js";
import { unreadInWords, unreadList } from "./unread.js";

const MINE = "uploads";
const REMEMBERED = 10;

// Uploads are known by their id alone: this browser remembers those it made.
const mine = () => JSON.parse(localStorage.getItem(MINE) ?? "[]");
const remember = (ids) => localStorage.setItem(MINE, JSON.stringify(ids.slice(0, REMEMBERED)));

export class CorpusDialog {
  constructor(dialog, { onChoose }) {
    this.dialog = dialog;
    this.onChoose = onChoose;
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close(); // beside it
    });
  }

  async open(current) {
    const server = await getServer();
    const uploads = await this.uploads();
    this.problem = el("p", { class: "problem", role: "alert" });
    this.skipped = el("div");
    this.dialog.replaceChildren(
      dialogHead(this.dialog, "corpora-title", "Choose a corpus"),
      this.list([...server.corpora, ...uploads], current),
      ...(server.opens_folders ? this.folderForm(server) : []),
      ...this.uploadForm(server),
      this.problem,
      this.skipped,
    );
    this.dialog.showModal();
  }

  async uploads() {
    const looked = await Promise.allSettled(mine().map(getCorpus));
    const found = looked.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
    remember(found.map(({ id }) => id));
    return found;
  }

  list(corpora, current) {
    return el(
      "ul",
      { class: "corpus-list" },
      corpora.map((corpus) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", "aria-current": corpus.id === current ? "true" : null, onclick: () => this.choose(corpus) },
            corpus.name,
            el("small", {}, `${corpus.documents.toLocaleString("en")} documents${corpus.unread ? `; ${unreadInWords(corpus)}` : ""}`),
          ),
        ),
      ),
    );
  }

  folderForm({ folders }) {
    const input = el("input", { type: "text", id: "folder", spellcheck: "false", placeholder: folders[0] ?? "/home/me/notes" });
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.work(() => openFolder(input.value));
    };
    return [
      el("h3", {}, el("label", { for: "folder" }, "Open a folder of this machine")),
      el(
        "p",
        {},
        "Documents of any kind that can be read, or a corpus made by lacuna index, in a folder that the server was told of" +
          (folders.length ? `: ${folders.join(", ")}.` : "."),
      ),
      el("form", { class: "row", onsubmit: submit }, input, el("button", { class: "quiet" }, "Open")),
    ];
  }

  uploadForm(server) {
    const kinds = server.upload_suffixes;
    const input = el("input", { type: "file", id: "files", multiple: true, accept: kinds.join(",") });
    const send = (files) => this.work(() => upload([...files]), server.largest_upload, files);
    input.addEventListener("change", () => input.files.length && send(input.files));
    const drop = el("div", { class: "drop" }, input);
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      if (event.dataTransfer.files.length) send(event.dataTransfer.files);
    });
    const megabytes = Math.floor(server.largest_upload / 2 ** 20);
    return [
      el("h3", {}, el("label", { for: "files" }, "Upload files")),
      el(
        "p",
        {},
        `Documents (${kinds.join(" ")}), up to ${megabytes} MB; deleted after ${server.upload_hours} hours.`,
      ),
      drop,
    ];
  }

  async work(open, largest = Infinity, files = []) {
    const size = [...files].reduce((sum, file) => sum + file.size, 0);
    this.problem.textContent = "";
    if (size > largest) {
      this.problem.textContent = `That is ${(size / 2 ** 20).toFixed(1)} MB, which is too much.`;
      return;
    }
    const controls = this.dialog.querySelectorAll("input, form button");
    controls.forEach((control) => (control.disabled = true));
    announce("Reading the documents.");
    try {
      const corpus = await open();
      if (corpus.kind === "upload") remember([corpus.id, ...mine()]);
      if (corpus.unread) this.showSkipped(corpus);
      else this.choose(corpus);
    } catch (error) {
      this.problem.textContent = error.message;
    } finally {
      controls.forEach((control) => (control.disabled = false));
    }
  }

  showSkipped(corpus) {
    const go = el("button", { type: "button", class: "primary", onclick: () => this.choose(corpus) }, "Ask what was read");
    this.skipped.replaceChildren(
      el("h3", {}, `${corpus.documents.toLocaleString("en")} documents were read; ${unreadInWords(corpus)}`),
      unreadList(corpus),
      go,
    );
    go.focus();
  }

  choose(corpus) {
    this.dialog.close();
    this.onChoose(corpus);
  }
}
