// Selecting words of a text by keys alone: arrows go from word to word, Shift takes more of them.

import { announce } from "/static/js/dom.js";
import { select } from "./offsets.js";

function wordsOf(text) {
  const words = [];
  let points = 0;
  let units = 0;
  for (const found of text.matchAll(/\S+/gu)) {
    points += [...text.slice(units, found.index)].length;
    const size = [...found[0]].length;
    words.push({ start: points, end: points + size, text: found[0] });
    points += size;
    units = found.index + found[0].length;
  }
  return words;
}

// sentences: [[start, end]]; take() is called with Enter.
export function wordKeys(box, text, sentences, take) {
  let words = null;
  let anchor = -1;
  let focus = -1;

  const near = (offset) => words.findIndex((word) => word.end > offset);
  function sentenceStep(direction) {
    const firsts = sentences.map(([start]) => near(start));
    if (direction > 0) return firsts.find((first) => first > focus) ?? words.length - 1;
    return firsts.findLast((first) => first < focus) ?? 0;
  }
  function show() {
    const [first, last] = [Math.min(anchor, focus), Math.max(anchor, focus)];
    select(box, words[first].start, words[last].end);
    const said = words.slice(first, last + 1).map((word) => word.text);
    announce(said.length > 12 ? `${said.slice(0, 6).join(" ")} … ${said.slice(-5).join(" ")}` : said.join(" "));
  }
  const steps = {
    ArrowRight: () => Math.min(focus + 1, words.length - 1),
    ArrowLeft: () => Math.max(focus - 1, 0),
    ArrowDown: () => sentenceStep(1),
    ArrowUp: () => sentenceStep(-1),
    Home: () => 0,
    End: () => words.length - 1,
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      take();
      return;
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    words ??= wordsOf(text);
    if (!words.length) return;
    focus = step();
    if (!event.shiftKey || anchor < 0) anchor = focus;
    show();
  });
  // From a search, say: the arrows go on from here.
  return (offset) => {
    words ??= wordsOf(text);
    anchor = focus = near(offset);
  };
}
