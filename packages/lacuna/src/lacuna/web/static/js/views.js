// On a narrow page one part is shown at a time; there, going to the other one is a step for Back.

import { addVisit } from "./visits.js";

const narrow = matchMedia("(max-width: 54rem)");
const buttons = () => document.querySelectorAll(".views button");
const panes = { document: document.querySelector(".document-pane"), dialog: document.querySelector(".dialog-pane") };
let led = null; // the link of the dialog that was followed last

export function showView(name) {
  if (narrow.matches && name !== document.body.dataset.view) addVisit({ view: name });
  putView(name);
}

// Without a step of its own.
export function putView(name) {
  const hidden = panes[name === "dialog" ? "document" : "dialog"];
  const hadFocus = hidden.contains(document.activeElement);
  document.body.dataset.view = name;
  for (const button of buttons()) {
    button.setAttribute("aria-pressed", String(button.dataset.shows === name));
  }
  if (hadFocus && narrow.matches) comeTo(name);
}

// From a document back to the link that led there.
export function goBackToDialog() {
  const hadFocus = panes.document.contains(document.activeElement);
  showView("dialog");
  if (hadFocus) comeTo("dialog");
}

function comeTo(name) {
  const goal = name === "dialog" && led?.isConnected ? led : panes[name];
  goal.focus({ preventScroll: goal === panes[name] });
}

// onAgain(): a link was followed to where the page is already.
export function setUpViews(onAgain) {
  for (const button of buttons()) {
    button.addEventListener("click", () => showView(button.dataset.shows));
  }
  panes.dialog.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    led = link;
    if (link.hash !== location.hash) return putView("document");
    event.preventDefault();
    showView("document");
    onAgain();
  });
}
