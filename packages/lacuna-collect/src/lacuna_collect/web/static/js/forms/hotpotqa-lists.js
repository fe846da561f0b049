// Curation of a list: pairs of its entities, to be compared.

import { judging, placeOf } from "./hotpotqa-judging.js";

const WORDS = {
  group: "List",
  asked: "could a good question compare these two?",
  yes: "Yes, they could be compared",
  no: "No",
  between: " and ",
  hint: "Look for something that both paragraphs tell. You need not write the question.",
};

export { placeOf };
export const show = (root, context) => judging(root, context, WORDS);
