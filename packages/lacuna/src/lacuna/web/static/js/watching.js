// Follows a corpus whose files may change: tells when changed files were read again.

import { getCorpus } from "./api.js";

const SECONDS = 5;

export function watchCorpus({ current, note, onChange }) {
  const look = async () => {
    const known = current();
    if (document.hidden || !known) return;
    const now = await getCorpus(known.id).catch(() => null); // the next look may reach the server
    if (!now || current() !== known || now.updated === known.updated) return;
    Object.assign(known, now);
    note.textContent = `updated ${clock(now.updated)}`;
    onChange();
  };
  setInterval(look, SECONDS * 1000);
}

const clock = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
