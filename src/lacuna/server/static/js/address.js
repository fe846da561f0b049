// What is shown stands in the part of the address after #, so that it can be shared and gone back to.

export function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [start, end] = (said.get("at") ?? "").split("-").map(Number);
  return {
    corpus: said.get("corpus"),
    doc: said.get("doc"),
    at: end > start ? { start, end } : null,
    answer: said.get("answer"),
    mode: said.get("mode"),
    question: said.get("q"),
    fact: said.get("fact"),
    choices: said.getAll("choice"),
    shown: said.get("shown"),
  };
}

// mode "choices": the fields for them are open; with a fact and choices: that question was asked.
export function addressOf({ corpus, doc, at, answer, mode, question, fact, choices = [], shown }) {
  const said = new URLSearchParams();
  if (corpus) said.set("corpus", corpus);
  if (doc) said.set("doc", doc);
  if (at) said.set("at", `${at.start}-${at.end}`);
  if (answer) said.set("answer", answer);
  if (mode) said.set("mode", mode);
  if (question) said.set("q", question);
  if (fact) said.set("fact", fact);
  for (const choice of choices) said.append("choice", choice);
  if (shown) said.set("shown", shown);
  return `#${said}`;
}

// A whole link, for others.
export const linkTo = (place) => location.origin + location.pathname + addressOf(place);

// A link to an answer; the question is in it, so that it can be asked again once it is forgotten.
export function sharedAddress(answered) {
  const { corpus, context: doc, id: answer, question } = answered;
  return linkTo({ corpus, doc, answer, question });
}
