// Sample pairs of a group, each with a verdict: could a good question be asked?

import { el } from "/static/js/dom.js";
import { byField, choice, paragraphs, withStyle } from "./hotpotqa-paragraphs.js";

// Which pair a field belongs to, for a list of all that is wrong.
export function placeOf(field) {
  const number = /^askable\.(\d+)/.exec(field)?.[1];
  return number === undefined ? "" : `Pair ${Number(number) + 1}`;
}

export function judging(root, { item, draft, problems, change }, words) {
  withStyle();
  const before = Array.isArray(draft?.askable) ? draft.askable : [];
  const askable = item.pairs.map((_, at) => (typeof before[at] === "boolean" ? before[at] : null));
  const options = [[true, words.yes], [false, words.no]];
  const fields = item.pairs.map((pair, at) =>
    choice(`Pair ${at + 1}: ${words.asked}`, `askable-${at}`, options, askable[at], (value) => {
      askable[at] = value;
      count();
      change({ askable: [...askable] });
    }),
  );
  const done = el("p", { class: "hint", role: "status" });
  function count() {
    done.textContent = `${askable.filter((one) => one !== null).length} of ${askable.length} pairs done.`;
  }
  const pairs = item.pairs.map((pair, at) =>
    el(
      "li",
      { class: "judged-pair" },
      el("h3", { dir: "auto" }, pair.paragraphs.map((one) => one.title).join(words.between)),
      paragraphs(pair, undefined, "h4"),
      fields[at].field,
    ),
  );
  const intro = [el("h2", { dir: "auto" }, `${words.group}: ${item.group}`), el("p", { class: "hint" }, words.hint), done];
  count();
  root.replaceChildren(el("div", { class: "hotpotqa" }, ...intro, el("ol", { class: "judged-pairs" }, ...pairs)));

  function mark(found) {
    const messages = byField(found);
    fields.forEach(({ mark: show }, at) => show(messages.get(`askable.${at}`)));
    if (messages.has("askable")) fields[0]?.mark(messages.get("askable"));
  }
  if (problems?.length) mark(problems);
  return { mark };
}
