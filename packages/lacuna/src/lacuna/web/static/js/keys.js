// Keys for the whole page.

import { goBackToDialog, showView } from "./views.js";

const types = (node) => node.matches?.("input, textarea, select, [contenteditable]");

// onHelp: called for the list of keys.
export function setUpKeys(box, onHelp) {
  document.addEventListener("keydown", (event) => {
    const atBegin = event.target === box && !box.value; // none begins with it
    if (event.key === "/" && (atBegin || !types(event.target)) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      showView("dialog");
      box.focus();
    } else if (event.key === "?" && !types(event.target)) {
      event.preventDefault();
      onHelp();
    } else if (event.key === "Escape") {
      if (event.target === box) box.blur();
      else if (!document.querySelector("dialog[open]")) goBackToDialog(); // open windows close themselves
    }
  });
}
