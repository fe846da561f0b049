// A text in which places can be marked: by selecting with a pointer, or with the arrow keys.

import { announce, el } from "/static/js/dom.js";
import { pieces, Points } from "/static/js/pieces.js";
import { caretIn, select, selectedIn } from "./offsets.js";
import { wordKeys } from "./word-keys.js";

let made = 0;
const watching = new WeakMap();

document.addEventListener("selectionchange", () => {
  const at = document.getSelection().anchorNode;
  const box = (at?.nodeType === Node.TEXT_NODE ? at.parentElement : at)?.closest?.(".markable");
  watching.get(box)?.();
});

// source: {text, sentences, links}; actions: [{label, take({start, end})}], the first with Enter.
// marks() gives [{start, end, kind}] to be shown.
export function markableText(source, label, actions, marks) {
  const points = new Points(source.text);
  const help = `markable-help-${(made += 1)}`;
  const box = el("div", {
    class: "markable",
    tabindex: "0",
    role: "group",
    "aria-label": label,
    "aria-describedby": help,
  });
  const chosenNow = () => selectedIn(box) ?? caretIn(box);
  let last = null;

  function draw() {
    const links = (source.links ?? []).map((link) => ({ ...link, kind: "link" }));
    const layers = [...links, ...marks()];
    box.replaceChildren(
      ...pieces(points, 0, points.length, layers).map((piece) => {
        const kinds = [...new Set(piece.in.map((layer) => layer.kind))];
        if (!kinds.length) return piece.text;
        const link = piece.in.find((layer) => layer.kind === "link");
        const tag = kinds.some((kind) => kind !== "link") ? "mark" : "span";
        return el(tag, { class: kinds.join(" "), title: link ? `Link to: ${link.target}` : null }, piece.text);
      }),
    );
  }
  // A press on a button may undo the selection elsewhere; a click into the text means to undo it.
  watching.set(box, () => {
    last = chosenNow();
  });
  const use = (action, widen) => {
    const now = chosenNow() ?? last;
    const chosen = now && widen ? wholeSentences(now, source.sentences) : now;
    if (!chosen || chosen.start === chosen.end) {
      announce("Nothing is selected. Select words of the text first.");
      hint.classList.add("problem");
      return;
    }
    hint.classList.remove("problem");
    last = null;
    action.take(chosen);
    document.getSelection().removeAllRanges();
    draw();
  };
  const goOnFrom = wordKeys(box, source.text, source.sentences, () => use(actions[0], false));
  const hint = el(
    "p",
    { class: "hint", id: help },
    "Select words with a finger or the mouse, or click into a sentence. By keys: step into the text and use the " +
      "arrow keys, with Shift to take more words, up and down for sentences.",
  );
  const keep = (event) => event.preventDefault(); // a press must not undo the selection
  const button = (text, act) =>
    el("button", { type: "button", class: "quiet", onpointerdown: keep, onclick: act }, text);
  const bar = el(
    "p",
    { class: "marking" },
    ...actions.flatMap((action) => [
      button(action.label, () => use(action, false)),
      action.sentence ? button(action.sentence, () => use(action, true)) : null,
    ]),
  );
  draw();
  return {
    nodes: [box, bar, hint],
    draw,
    find(start, end) {
      select(box, start, end);
      last = { start, end };
      goOnFrom(start);
    },
  };
}

// The sentences that are touched; for a caret between two, the one before it.
function wholeSentences(chosen, sentences) {
  const touched = sentences.filter(([start, end]) => start < chosen.end && end > chosen.start);
  const near = sentences.findLast(([start]) => start <= chosen.start) ?? sentences[0];
  if (!near) return chosen;
  return { start: (touched[0] ?? near)[0], end: (touched.at(-1) ?? near)[1] };
}
