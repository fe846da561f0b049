// Search titles and texts while typing: a combobox with a list, for mouse, keys and screen readers.

import { findPassages, findTitles } from "./api.js";
import { count } from "./counts.js";
import { announce, el } from "./dom.js";
import { markedText } from "./marked-text.js";

const TITLES = 8;
const PASSAGES = 8;
const NOTHING = "Nothing is like that";

export function setUpTitleSearch(input, list, { corpus, onChoose }) {
  let found = []; // [{title, snippet}]; a title alone has no snippet
  let active = -1;
  let request = null;

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = ({ title, snippet }) => {
    input.value = "";
    close();
    onChoose(title, snippet && { start: snippet.start, end: snippet.end });
  };
  const point = (index) => {
    active = index;
    [...list.children].forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === active));
      if (at === active) item.scrollIntoView({ block: "nearest" });
    });
    input.setAttribute("aria-activedescendant", `title-${active}`);
  };
  const show = () => {
    const items = found.map((one, index) =>
      el(
        "li",
        { id: `title-${index}`, role: "option", "aria-selected": "false",
          onmousedown: (event) => { event.preventDefault(); choose(one); } },
        one.title === found[index - 1]?.title ? el("span", { class: "unseen" }, one.title, " ") : one.title,
        one.snippet ? el("span", { class: "snippet" }, markedText(one.snippet)) : null,
      ),
    );
    list.replaceChildren(...(items.length ? items : [el("li", {}, NOTHING)]));
    list.hidden = false;
    active = -1;
    input.setAttribute("aria-expanded", "true");
    const passages = found.filter(({ snippet }) => snippet).length;
    const told = `${count(found.length - passages, "title")}, ${count(passages, "passage")}`;
    announce(found.length ? told : NOTHING);
  };
  const look = async () => {
    request?.abort();
    if (!input.value.trim()) return close();
    request = new AbortController();
    try {
      const { signal } = request;
      const [{ titles }, { hits }] = await Promise.all([
        findTitles(corpus(), input.value, TITLES, signal),
        findPassages(corpus(), input.value, PASSAGES, signal),
      ]);
      found = underTheirTitles([...titles.map((title) => ({ title })), ...hits]);
      show();
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  };
  input.addEventListener("input", look);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      if (list.hidden) input.blur();
      close();
    } else if (list.hidden || !found.length) return;
    else if (event.key === "ArrowDown") point((active + 1) % found.length);
    else if (event.key === "ArrowUp") point(active > 0 ? active - 1 : found.length - 1);
    else if (event.key === "Enter") choose(found[Math.max(active, 0)]);
    else return;
    event.preventDefault();
  });
}

// What has one title stands together, in the order of the first of each.
function underTheirTitles(found) {
  return [...Map.groupBy(found, ({ title }) => title).values()].flat();
}
