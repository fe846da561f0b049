// Own documents: files, a folder or an archive, chosen or dropped, or a text that is pasted.

import { pickedFiles } from "./chosen-files.js";
import { el } from "./dom.js";

const UNNAMED = "Pasted text";

// send: takes [{file, path}] or a promise of it.
export function uploadForm(server, send) {
  const kinds = server.upload_suffixes;
  const megabytes = Math.floor(server.largest_upload / 2 ** 20);
  return [
    el("h3", {}, "Upload your own"),
    el(
      "p",
      {},
      `Files, a folder or a .zip, up to ${megabytes} MB; deleted after ${server.upload_hours} hours, when you ` +
        "delete them, or when the server ends.",
    ),
    dropArea(kinds, send),
    el("details", { class: "kinds" }, el("summary", {}, "Kinds of files that can be read"), el("p", {}, kinds.join(" "))),
    el("h3", {}, el("label", { for: "pasted" }, "Or paste a text")),
    pasteForm(send),
  ];
}

function dropArea(kinds, send) {
  return el(
    "div",
    { class: "drop" },
    "Drop them anywhere, or",
    picker("choose files", { id: "files", multiple: true, accept: kinds.join(",") }, send),
    picker("choose a folder", { id: "folder-files", webkitdirectory: true }, send),
  );
}

// The browser's own button would speak of files where a folder is to be chosen, and of none chosen.
function picker(text, attributes, send) {
  const input = el("input", { type: "file", ...attributes });
  input.addEventListener("change", () => {
    const chosen = pickedFiles(input);
    input.value = ""; // the same can be chosen again
    if (chosen.length) send(chosen);
  });
  return el("label", { class: "picker" }, text, input);
}

function pasteForm(send) {
  const title = el("input", { type: "text", id: "pasted-title", placeholder: UNNAMED, maxlength: "80" });
  const text = el("textarea", { id: "pasted", rows: "4", dir: "auto" });
  const submit = (event) => {
    event.preventDefault();
    if (!text.value.trim()) return text.focus();
    const path = `${title.value.trim().replace(/[\\/.:]+/g, " ").trim() || UNNAMED}.md`;
    send([{ file: new File([text.value], path), path }]);
  };
  return el(
    "form",
    { class: "paste", onsubmit: submit },
    text,
    el(
      "div",
      { class: "row" },
      el("label", { class: "unseen", for: "pasted-title" }, "Its title"),
      title,
      el("button", { class: "quiet" }, "Ask about this text"),
    ),
  );
}
