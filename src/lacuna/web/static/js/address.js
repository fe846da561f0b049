// What is shown stands in the part of the address after #, so that it can be shared and gone back to.

export function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [start, end] = (said.get("at") ?? "").split("-").map(Number);
  return {
    corpus: said.get("corpus"),
    doc: said.get("doc"),
    at: end > start ? { start, end } : null,
    answer: said.get("answer"),
    question: said.get("q"),
  };
}

export function addressOf({ corpus, doc, at, answer, question }) {
  const said = new URLSearchParams();
  if (corpus) said.set("corpus", corpus);
  if (doc) said.set("doc", doc);
  if (at) said.set("at", `${at.start}-${at.end}`);
  if (answer) said.set("answer", answer);
  if (question) said.set("q", question);
  return `#${said}`;
}

// A link to an answer; the question is in it, so that it can be asked again once it is forgotten.
export function sharedAddress(answered) {
  const { corpus, passage: doc, id: answer, question } = answered;
  return location.origin + location.pathname + addressOf({ corpus, doc, answer, question });
}
