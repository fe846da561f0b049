// Choose, open or upload a corpus.

import { deleteUpload, getCorpus, getReading, getServer, openFolder, openTogether, upload } from "./api.js";
import { sizeOf, sorted } from "./chosen-files.js";
import { count } from "./counts.js";
import { dialogHead } from "./dialogs.js";
import { el } from "./dom.js";
import { severalAtOnce } from "./several-corpora.js";
import { unreadInWords } from "./unread.js";
import { uploadForm } from "./upload-form.js";

const MINE = "uploads";
const REMEMBERED = 10;
const NAMED = 50; // files that could not be read, by name
const READING = "Reading the documents …";
const LOOK_AGAIN = 500; // milliseconds
const MOST_FILES = 1000; // of one request; an archive may hold more

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

  // files: a promise of what is to be uploaded at once.
  async open(current, files = null) {
    if (this.isBusy) return;
    if (files && this.dialog.open) return this.send(this.server, files);
    const server = await getServer();
    const uploads = await this.uploads();
    Object.assign(this, { current, server });
    this.fallback = server.corpora.find(({ id }) => id === server.default) ?? server.corpora[0];
    this.progress = el("p", { class: "progress", role: "status" }); // here: what is outside of an open window is not heard
    this.problem = el("p", { class: "problem", role: "alert" });
    this.several = [...server.corpora, ...uploads].filter(({ parts }) => !parts.length);
    this.dialog.replaceChildren(
      dialogHead(this.dialog, "corpora-title", "Choose a corpus"),
      this.list([...server.corpora, ...uploads]),
      ...severalAtOnce(this.several, (ids) => this.work(() => this.together(ids))),
      ...(server.opens_folders ? this.folderForm(server) : []),
      ...uploadForm(server, (chosen) => this.send(server, chosen)),
      this.progress,
      this.problem,
    );
    this.dialog.showModal();
    if (files) this.send(server, files);
  }

  async uploads() {
    const looked = await Promise.allSettled(mine().map(getCorpus));
    const found = looked.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
    remember(found.map(({ id }) => id));
    return found;
  }

  list(corpora) {
    return el("ul", { class: "corpus-list" }, corpora.map((corpus) => this.listed(corpus)));
  }

  listed(corpus) {
    const unread = corpus.unread ? `; ${unreadInWords(corpus)}` : "";
    const current = corpus.id === this.current ? "true" : null;
    const entry = el(
      "li",
      {},
      el(
        "button",
        { type: "button", "aria-current": current, onclick: () => this.choose(corpus) },
        corpus.name,
        el("small", {}, `${count(corpus.documents, "document")}${unread}`),
      ),
    );
    if (corpus.kind === "upload" || corpus.kind === "together") entry.append(this.deleter(corpus, entry));
    return entry;
  }

  // The first press asks, the second deletes: nothing brings an upload back.
  deleter(corpus, entry) {
    const button = el("button", { type: "button", class: "delete" });
    let sure;
    const show = (pressed) => {
      sure = pressed;
      button.textContent = sure ? "Really delete?" : "Delete";
      button.setAttribute("aria-label", sure ? `Really delete ${corpus.name}?` : `Delete ${corpus.name}`);
    };
    show(false);
    button.addEventListener("click", async () => {
      if (!sure) return show(true);
      try {
        await deleteUpload(corpus.id);
      } catch (error) {
        this.problem.textContent = error.message;
        return;
      }
      remember(mine().filter((id) => id !== corpus.id));
      entry.remove();
      this.progress.textContent = `${corpus.name} was deleted.`;
      if (corpus.id === this.current) this.choose(this.fallback);
      else this.dialog.querySelector("button").focus();
    });
    button.addEventListener("blur", () => show(false));
    return button;
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

  async together(ids) {
    const corpus = await openTogether(ids);
    remember([corpus.id, ...mine().filter((id) => id !== corpus.id)]);
    return { ...corpus, unread: 0 }; // what could not be read was told before
  }

  send(server, chosen) {
    return this.work(async () => {
      const { taken, skipped } = sorted(await chosen, server.upload_suffixes, server.largest_upload, MOST_FILES);
      const size = sizeOf(taken);
      if (!taken.length) throw new Error(nothingToRead(skipped));
      if (size > server.largest_upload) throw new Error(`That is ${(size / 2 ** 20).toFixed(1)} MB, which is too much.`);
      if (taken.length > MOST_FILES) {
        throw new Error(`These are ${count(taken.length, "file")}. Put more than ${MOST_FILES.toLocaleString("en")} into a .zip.`);
      }
      const reading = Math.random().toString(36).slice(2);
      const corpus = await upload(taken, reading, (sent) => this.tellSent(sent, taken.length, reading));
      remember([corpus.id, ...mine()]);
      return { ...corpus, unread: corpus.unread + skipped.length, skipped: [...corpus.skipped, ...skipped.slice(0, NAMED)] };
    });
  }

  tellSent(sent, files, reading) {
    if (sent < 1) return (this.progress.textContent = `Sending ${count(files, "file")}: ${Math.floor(sent * 100)} %`);
    if (this.reading === reading) return;
    this.progress.textContent = READING;
    this.reading = reading;
    this.tellRead(reading, Date.now());
  }

  async tellRead(reading, begun) {
    await new Promise((done) => setTimeout(done, LOOK_AGAIN));
    const { read, files } = await getReading(reading).catch(() => ({}));
    if (!this.isBusy || this.reading !== reading) return;
    if (read) this.progress.textContent = `${read.toLocaleString("en")} of ${count(files, "document")} read${timeLeft(read / files, Date.now() - begun)} …`;
    return this.tellRead(reading, begun);
  }

  async work(open) {
    this.isBusy = true;
    this.problem.textContent = "";
    const controls = this.dialog.querySelectorAll("input, textarea, form button, .corpus-list button");
    controls.forEach((control) => (control.disabled = true));
    this.progress.textContent = READING;
    try {
      const corpus = await open();
      this.choose(corpus); // what could not be read is told beside what was
    } catch (error) {
      this.problem.textContent = error.message;
    } finally {
      this.isBusy = false;
      this.progress.textContent = "";
      controls.forEach((control) => (control.disabled = false));
    }
  }

  choose(corpus) {
    this.dialog.close();
    this.onChoose(corpus);
  }
}

// Not before some of it is behind us: a guess that jumps helps nobody.
function timeLeft(share, passed) {
  const seconds = Math.ceil((passed * (1 - share)) / share / 1000);
  if (passed < 2000 || seconds < 3) return "";
  return seconds < 100 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
}

function nothingToRead(skipped) {
  if (!skipped.length) return "There is no file in it.";
  return `No file of it can be read (${skipped.slice(0, 3).map(({ where }) => where).join(", ")}).`;
}
