// What is shown stands in the part of the address after #, so that it can be shared and gone back to.

export function readAddress() {
  const params = new URLSearchParams(location.hash.slice(1));
  const [start, end] = (params.get("at") ?? "").split("-").map(Number);
  return {
    corpus: params.get("corpus"),
    doc: params.get("doc"),
    at: end > start ? { start, end } : null,
    graph: params.has("graph"),
    answer: params.get("answer"),
    mode: params.get("mode"),
    question: params.get("q"),
    fact: params.get("fact"),
    choices: params.getAll("choice"),
    shown: params.get("shown"),
  };
}

// graph: what is around the document instead of its text; mode "choices": the fields for them are open; with a fact and choices: that question was asked.
export function addressOf({ corpus, doc, at, graph, answer, mode, question, fact, choices = [], shown }) {
  const params = new URLSearchParams();
  if (corpus) params.set("corpus", corpus);
  if (doc) params.set("doc", doc);
  if (at) params.set("at", `${at.start}-${at.end}`);
  if (graph) params.set("graph", "1");
  if (answer) params.set("answer", answer);
  if (mode) params.set("mode", mode);
  if (question) params.set("q", question);
  if (fact) params.set("fact", fact);
  for (const choice of choices) params.append("choice", choice);
  if (shown) params.set("shown", shown);
  return `#${params}`;
}

// A whole link, for others.
export const linkTo = (place) => location.origin + location.pathname + addressOf(place);

// A link to an answer; the question is in it, so that it can be asked again once it is forgotten.
export function sharedAddress(answered) {
  const { corpus, context: doc, id: answer, question } = answered;
  return linkTo({ corpus, doc, answer, question });
}
