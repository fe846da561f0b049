// What is selected in a part of the page, kept from before a button takes the focus.

// box: the CSS class of the texts that may be selected in; gives a function that tells the words.
export function selectedText(box) {
  let selected = "";
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const node = selection.anchorNode?.parentElement;
    if (node?.closest(`.${box}`)) selected = selection.toString();
  });
  return () => selected.replace(/\s+/g, " ").trim();
}
