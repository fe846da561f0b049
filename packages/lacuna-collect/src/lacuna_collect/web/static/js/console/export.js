// The dataset's files: made in the background, then downloaded.

import { el } from "/static/js/dom.js";
import { get, post } from "../api.js";
import { button, duration, fill, note, when } from "../parts.js";

const AGAIN = 1_000;

function size(bytes) {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const files = (count) => (count === 1 ? "1 file" : `${count} files`);

export async function exportCard(project) {
  const said = el("div", { role: "status" });
  const place = el("p", { class: "buttons" });

  function show(state) {
    const link = el("a", { class: "as-button", href: "/collect/api/console/export/file", download: "" });
    link.textContent = `Download ${project}.zip`;
    const made = el("span", { class: "hint" }, `${size(state.size)}, the work of ${when(state.made_at)}`);
    if (state.is_being_made) {
      const sofar = state.files ? `, ${files(state.files)} with ${size(state.size)} so far` : "";
      fill(said, el("p", {}, `Being made for ${duration(state.seconds)}${sofar}. You can leave this page meanwhile.`));
      fill(place);
      return null;
    }
    fill(said, state.problem ? note(state.problem, "problem") : null);
    fill(place, begin, ...(state.made_at === null ? [] : [link, made]));
    return link;
  }

  // Asks until it is made, or nobody looks at this page any more.
  async function follow(state) {
    while (state.is_being_made && place.isConnected) {
      show(state);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      state = await get("console/export");
    }
    return state;
  }

  const begin = button("Export the dataset", async () => {
    const state = await follow(await post("console/export"));
    const link = show(state);
    if (link && !state.problem) link.click();
  });

  const state = await get("console/export");
  show(state);
  if (state.is_being_made) setTimeout(async () => show(await follow(state)));
  return el("section", { class: "plot card" }, el("h2", {}, "The dataset"), said, place);
}
