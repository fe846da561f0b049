// Copy a text; where the browser does not allow it, show the text to be copied by hand.

import { announce, el } from "./dom.js";
import { dialogHead } from "./dialogs.js";

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    showCopied(`${what} was copied.`);
  } catch {
    const dialog = document.getElementById("copy");
    const area = el("textarea", { readonly: true, "aria-labelledby": "copy-title" });
    area.value = text;
    dialog.replaceChildren(dialogHead(dialog, "copy-title", what), el("p", {}, "Copy it from here."), area);
    dialog.showModal();
    area.select();
  }
}

function showCopied(text) {
  announce(text);
  const button = document.activeElement;
  if (!button?.matches("button.plain, button.quiet") || button.dataset.label) return;
  button.dataset.label = button.textContent;
  button.style.minWidth = `${button.offsetWidth}px`; // nothing beside it may move
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = button.dataset.label;
    delete button.dataset.label;
  }, 1600);
}
