// Curation of a category: links to its documents, each with the paragraph that the link stands in.

import { judging, placeOf } from "./hotpotqa-judging.js";

const WORDS = {
  group: "Category",
  asked: "could a good question take both paragraphs?",
  yes: "Yes, it could be asked",
  no: "No",
  between: " → ",
  hint: "Of each pair, the first paragraph links to the second. You need not write the question.",
};

export { placeOf };
export const show = (root, context) => judging(root, context, WORDS);
