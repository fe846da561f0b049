// Where a text can be looked up: its file with the line, page or row, and a way to get there.

import { copyText } from "./clipboard.js";
import { el } from "./dom.js";

const EVERYWHERE = ["http:", "https:"];
const ON_THIS_MACHINE = ["obsidian:"];
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

// place: {file, text, url, …} or null; shown: the words for it, where "text" says too much.
export function sourceLine(place, shown = place?.text) {
  if (!place || !shown) return null;
  const address = URL.canParse(place.url) ? new URL(place.url) : null;
  return el("p", { class: "source" }, words(shown, address), address?.protocol === "file:" ? copyPath(address) : null);
}

function words(shown, address) {
  const isHere = THIS_MACHINE.test(location.hostname);
  const opens = isHere ? [...EVERYWHERE, ...ON_THIS_MACHINE] : EVERYWHERE;
  if (!opens.includes(address?.protocol)) return el("span", {}, shown);
  return el("a", { href: address.href, target: "_blank", rel: "noopener noreferrer" }, shown);
}

// A browser opens no file for a page that came over the network; its path can be pasted elsewhere.
function copyPath(address) {
  const path = decodeURIComponent(address.pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  return el("button", { type: "button", class: "plain", onclick: () => copyText(path, "The path") }, "Copy path");
}
