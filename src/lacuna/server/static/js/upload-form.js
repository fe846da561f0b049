// Own documents: files, a folder or an archive, chosen or dropped, or a text that is pasted.

import { droppedFiles, pickedFiles } from "./chosen-files.js";
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
      "Files, a folder or a .zip: drop them here, or choose them. Up to " +
        `${megabytes} MB; deleted after ${server.upload_hours} hours, or when you delete them.`,
    ),
    dropArea(kinds, send),
    el("details", { class: "kinds" }, el("summary", {}, "Kinds of files that can be read"), el("p", {}, kinds.join(" "))),
    el("h3", {}, el("label", { for: "pasted" }, "Or paste a text")),
    pasteForm(send),
  ];
}

function dropArea(kinds, send) {
  const files = el("input", { type: "file", id: "files", multiple: true, accept: kinds.join(",") });
  const folder = el("input", { type: "file", id: "folder-files", webkitdirectory: true });
  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      const chosen = pickedFiles(input);
      input.value = ""; // the same can be chosen again
      if (chosen.length) send(chosen);
    });
  }
  const drop = el(
    "div",
    { class: "drop" },
    el("label", {}, "Files ", files),
    el("label", {}, "A folder ", folder),
  );
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    send(droppedFiles(event.dataTransfer));
  });
  return drop;
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
