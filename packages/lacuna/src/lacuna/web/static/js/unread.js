// The files of a corpus that could not be read, and why.

import { count } from "./counts.js";
import { el } from "./dom.js";

export const unreadInWords = ({ unread }) => `${count(unread, "file")} could not be read`;

export function unreadList({ unread, skipped }) {
  const more = unread - skipped.length;
  return el(
    "ul",
    { class: "skipped", tabindex: "0", "aria-label": "Files that could not be read" },
    skipped.map(({ where, reason }) => el("li", {}, `${where}: ${reason}`)),
    more > 0 ? el("li", {}, `and ${more.toLocaleString("en")} more`) : null,
  );
}
