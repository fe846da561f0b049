// How a document begins, shown beside a link to it that is pointed at or focused (a[data-title]).
// It can be pointed at itself, goes with Esc, and never comes by touch.

import { getPreview } from "./api.js";
import { count } from "./counts.js";
import { el } from "./dom.js";

const WAIT = { show: 350, hide: 250 }; // milliseconds; time to get from the link to the preview
const MARGIN = 8;
const KEPT = 100;

export function setUpPreviews() {
  const box = el("div", { class: "preview", id: "preview", role: "tooltip", hidden: true });
  document.querySelector("main").append(box);
  const known = new Map(); // previews that were fetched, the oldest first
  let link = null; // whose preview is shown or on its way
  let timer = 0;

  const hide = () => {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = null;
    box.hidden = true;
  };
  const show = async (wanted) => {
    const { corpus, title } = wanted.dataset;
    const key = `${corpus} ${title}`;
    try {
      known.set(key, known.get(key) ?? (await getPreview(corpus, title)));
    } catch {
      return; // whoever follows the link is told
    }
    if (known.size > KEPT) known.delete(known.keys().next().value);
    if (link !== wanted || !wanted.isConnected) return;
    fill(box, known.get(key), wanted.ariaDescription);
    box.hidden = false;
    place(box, wanted);
    wanted.setAttribute("aria-describedby", box.id);
  };
  const point = (wanted) => {
    clearTimeout(timer);
    if (wanted === link) return;
    hide();
    link = wanted;
    timer = setTimeout(() => show(wanted), WAIT.show);
  };
  const leave = () => {
    clearTimeout(timer);
    timer = setTimeout(hide, WAIT.hide);
  };
  const linkOf = ({ target }) => target.closest?.("a[data-title]");

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    if (linkOf(event)) point(linkOf(event));
    else if (box.contains(event.target)) clearTimeout(timer);
    else if (link && link !== document.activeElement) leave();
  });
  document.documentElement.addEventListener("pointerleave", () => link && leave());
  document.addEventListener("focusin", (event) => {
    if (linkOf(event)?.matches(":focus-visible")) point(linkOf(event));
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("pointerdown", ({ target }) => box.contains(target) || hide());
  const moved = ({ target }) => {
    if (target === box || !link) return;
    if (link !== document.activeElement) hide();
    else if (!box.hidden) place(box, link); // what is focused is scrolled into view
  };
  document.addEventListener("scroll", moved, true);
  window.addEventListener("popstate", hide);
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || box.hidden) return;
      event.stopPropagation(); // nothing else closes with it
      hide();
    },
    true,
  );
}

function fill(box, { title, text, whole, documents_back: back }, hint) {
  box.replaceChildren(
    el("b", {}, title),
    el("p", { dir: "auto" }, whole ? text : `${text} …`),
    el("small", {}, hint ? `${hint}. ` : "", `${count(back, "document")} ${back === 1 ? "links" : "link"} to it.`),
  );
}

// Under the line that the link ends in, or above where there is no room.
function place(box, link) {
  const lines = link.getClientRects();
  const { left, top, bottom } = lines[lines.length - 1];
  const { offsetWidth: wide, offsetHeight: high } = box;
  const under = bottom + MARGIN + high <= innerHeight || top < high + MARGIN;
  box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - wide - MARGIN))}px`;
  box.style.top = `${Math.max(MARGIN, Math.min(under ? bottom + 2 : top - high - 2, innerHeight - high - MARGIN))}px`;
}
