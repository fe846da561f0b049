// What the browser's history remembers of an entry beside its address, so that Back and Forward move
// all of the page, never half of it.

const SETTLED = 150; // milliseconds without scrolling

// null where the entry is new; else {view, askedOf, blank: nothing was asked yet, top: how far the document
// was scrolled}.
export const visit = () => history.state?.visit ?? null;

export function noteVisit(part) {
  history.replaceState({ visit: { ...visit(), ...part } }, "");
}

// The same address as a step of its own.
export function addVisit(part) {
  history.pushState({ visit: { ...visit(), ...part } }, "");
}

export function noteScrolling(pane) {
  let timer = 0;
  const note = () => {
    clearTimeout(timer);
    timer = 0;
    if (visit()) noteVisit({ top: pane.scrollTop });
  };
  pane.addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(note, SETTLED);
  });
  document.addEventListener("click", () => timer && note(), true); // before it leads elsewhere
  window.addEventListener("popstate", () => clearTimeout(timer));
}
