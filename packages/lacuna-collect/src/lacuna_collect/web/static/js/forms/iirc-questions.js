// IIRC's question task: a set to be written, or the test before it.

import { markProblems, placeOf, useStyle } from "./iirc/fields.js";
import { showJudging } from "./iirc/judging.js";
import { showWriting } from "./iirc/writing.js";

export { placeOf };

export function show(root, options) {
  useStyle();
  root.classList.add("iirc");
  (options.item.kind === "judging" ? showJudging : showWriting)(root, options);
  const mark = (problems) => markProblems(root, problems);
  mark(options.problems ?? []);
  return { mark };
}
