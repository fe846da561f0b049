// Saves a draft soon after every change, one save at a time, and again after a failure.

import { part, put } from "../api.js";

const SOON = 1_200;
const AGAIN = 5_000;

export function autosave(assignment, version, { seconds, saved, failed, stale }) {
  const kept = `collect-draft-${assignment}`;
  let draft = null;
  let waiting = null;
  let running = null;
  let stopped = false;

  async function save(options) {
    const sent = draft;
    try {
      const got = await put(
        `work/${part(assignment)}/draft`,
        { draft: sent, version, seconds: seconds() },
        options,
      );
      version = got.version;
      if (draft === sent) {
        draft = null;
        localStorage.removeItem(kept);
      }
      saved(got);
    } catch (error) {
      if (error.code === "stale-draft") {
        stopped = true;
        stale(error);
      } else {
        failed(error);
        if (error.status === 0 || error.status >= 500) later(AGAIN);
      }
    }
    if (draft !== null && draft !== sent) later(SOON);
  }

  function later(delay) {
    clearTimeout(waiting);
    if (!stopped) waiting = setTimeout(() => now(), delay);
  }

  function now(options) {
    clearTimeout(waiting);
    if (draft === null || stopped) return running ?? Promise.resolve();
    running = (running ?? Promise.resolve()).then(() => (draft === null ? null : save(options)));
    return running;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) now({ keepalive: JSON.stringify(draft ?? "").length < 50_000 });
  });

  return {
    // What this browser still has of a draft that the server never got.
    left() {
      try {
        const found = JSON.parse(localStorage.getItem(kept));
        return found?.version === version ? found.draft : null;
      } catch {
        return null;
      }
    },
    change(work) {
      draft = work;
      try {
        localStorage.setItem(kept, JSON.stringify({ version, draft }));
      } catch {
        // There is no room: the server's copy has to do.
      }
      later(SOON);
    },
    now,
    stop() {
      stopped = true;
      clearTimeout(waiting);
      localStorage.removeItem(kept);
    },
    // Go on from the version of another tab.
    takeOver(newer) {
      version = newer;
      stopped = false;
    },
  };
}
