// Files that are dropped: anywhere on the page, so that the browser never leaves it for one of them.

import { droppedFiles } from "./chosen-files.js";

const DROPPING = "dropping";

// onFiles: takes a promise of [{file, path}].
export function setUpDropping(onFiles) {
  const { classList } = document.body;
  const listen = (kind, act) =>
    window.addEventListener(kind, (event) => event.dataTransfer?.types.includes("Files") && act(event));
  listen("dragover", (event) => {
    event.preventDefault();
    classList.add(DROPPING);
  });
  listen("dragleave", ({ relatedTarget }) => relatedTarget || classList.remove(DROPPING)); // the window was left
  listen("drop", (event) => {
    event.preventDefault();
    classList.remove(DROPPING);
    onFiles(droppedFiles(event.dataTransfer));
  });
}
