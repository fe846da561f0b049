// Search titles while typing: a combobox with a list, for mouse, keys and screen readers.

import { findTitles } from "./api.js";
import { announce, el } from "./dom.js";

const SHOWN = 12;

export function setUpTitleSearch(input, list, { corpus, onChoose }) {
  let titles = [];
  let active = -1;
  let request = null;

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (title) => {
    input.value = "";
    close();
    onChoose(title);
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
    const items = titles.map((title, index) =>
      el(
        "li",
        { id: `title-${index}`, role: "option", "aria-selected": "false",
          onmousedown: (event) => { event.preventDefault(); choose(title); } },
        title,
      ),
    );
    list.replaceChildren(...(items.length ? items : [el("li", {}, "No title is like that")]));
    list.hidden = false;
    active = -1;
    input.setAttribute("aria-expanded", "true");
    announce(titles.length ? `${titles.length} titles` : "No title is like that");
  };
  const look = async () => {
    request?.abort();
    if (!input.value.trim()) return close();
    request = new AbortController();
    try {
      ({ titles } = await findTitles(corpus(), input.value, SHOWN, request.signal));
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
    } else if (list.hidden || !titles.length) return;
    else if (event.key === "ArrowDown") point((active + 1) % titles.length);
    else if (event.key === "ArrowUp") point(active > 0 ? active - 1 : titles.length - 1);
    else if (event.key === "Enter") choose(titles[Math.max(active, 0)]);
    else return;
    event.preventDefault();
  });
}
