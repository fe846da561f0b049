// Where a selection lies in a text, in code points as the server counts, and back.

const length = (text) => [...text].length;

// The offset of a place in the page within a box whose text is shown whole.
function offsetIn(box, node, offset) {
  const before = document.createRange();
  before.selectNodeContents(box);
  before.setEnd(node, offset);
  return length(before.toString());
}

// What is selected in a box, without the space around it; null if it is nothing of this box.
export function selectedIn(box) {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!box.contains(range.startContainer) || !box.contains(range.endContainer)) return null;
  const start = offsetIn(box, range.startContainer, range.startOffset);
  return trimmed(range.toString(), start);
}

// Where the caret is, or where a selection without a word begins.
export function caretIn(box) {
  const { anchorNode, anchorOffset } = document.getSelection();
  if (!anchorNode || !box.contains(anchorNode)) return null;
  const start = offsetIn(box, anchorNode, anchorOffset);
  return { start, end: start };
}

function trimmed(text, start) {
  const inner = text.trim();
  if (!inner) return null;
  const first = start + length(text.slice(0, text.indexOf(inner)));
  return { start: first, end: first + length(inner) };
}

// Select a stretch of a box, and bring it into view.
export function select(box, start, end) {
  const range = document.createRange();
  range.setStart(...placeOf(box, start));
  range.setEnd(...placeOf(box, end));
  const selection = document.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  scrollTo(box, range);
}

function placeOf(box, offset) {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  let left = offset;
  let node = null;
  while (walker.nextNode()) {
    node = walker.currentNode;
    const points = [...node.data];
    if (left <= points.length) return [node, points.slice(0, left).join("").length];
    left -= points.length;
  }
  return node ? [node, node.data.length] : [box, 0];
}

function scrollTo(box, range) {
  const at = range.getBoundingClientRect();
  const around = box.getBoundingClientRect();
  if (at.top < around.top || at.bottom > around.bottom) {
    box.scrollTop += at.top - around.top - around.height / 3;
  }
}
