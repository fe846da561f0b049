// The JSON interface of the server.

export class Problem extends Error {
  constructor(code, message, retryAfter = null) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const UNREACHED = "The server does not answer. Is `lacuna serve` still running?";

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("unreachable", UNREACHED);
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Problem(
    problem.code ?? "unknown",
    problem.message ?? `The server answered with ${response.status}.`,
    Number(response.headers.get("Retry-After")) || null,
  );
}

const json = async (path, options) => (await call(path, options)).json();
const posted = (value) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});
const at = (corpus) => `/api/v1/corpora/${encodeURIComponent(corpus)}`;

export const getServer = () => json("/api/v1/server");
export const getCorpus = (corpus) => json(at(corpus));
export const getDialog = (answer) => json(`/api/v1/answers/${encodeURIComponent(answer)}`);
export const openFolder = (path) => json("/api/v1/corpora/folder", posted({ path }));

export const openTogether = (corpora) => json("/api/v1/corpora/together", posted({ corpora }));
export const suggest = (asked, signal) => events("/api/v1/suggest/stream", asked, signal);

export const findLanguageModels = () => json("/api/v1/language-models");
export const takeLanguageModel = (port, model) => json("/api/v1/language-models", posted({ port, model }));

export const sendFeedback = (said) => json("/api/v1/feedback", posted(said));

export const findTitles = (corpus, typed, limit, signal) =>
  json(`${at(corpus)}/titles?${new URLSearchParams({ q: typed, limit })}`, { signal });

export const findPassages = (corpus, words, limit, signal) =>
  json(`${at(corpus)}/search?${new URLSearchParams({ q: words, limit })}`, { signal });

export const getLinks = (corpus, title) => json(`${at(corpus)}/links?${new URLSearchParams({ title })}`);

export const getDocument = (corpus, title) =>
  json(`${at(corpus)}/document?${new URLSearchParams({ title })}`);

export const pictureAddress = (corpus, title, number) =>
  `${at(corpus)}/picture?${new URLSearchParams({ title, number })}`;

export const getPreview = (corpus, title) =>
  json(`${at(corpus)}/preview?${new URLSearchParams({ title })}`);

// also: titles that are to be in it, however far away.
export const getGraph = (corpus, title, also, limit) =>
  json(`${at(corpus)}/graph?${new URLSearchParams([["title", title], ["limit", limit], ...also.map((name) => ["also", name])])}`);

export const deleteUpload = (corpus) => call(at(corpus), { method: "DELETE" });

export const getReading = (name) => json(`/api/v1/readings/${name}`);

// files: [{file, path}]; reading: a name to ask how far it is; onSent is told how much of it is on
// its way, from 0 to 1. fetch cannot say.
export function upload(files, reading, onSent) {
  const body = new FormData();
  for (const { file, path } of files) body.append("files", file, path);
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onerror = () => failed(new Problem("unreachable", UNREACHED));
    request.onload = () => {
      const { status, response } = request;
      if (status === 200) done(response);
      else failed(new Problem(response?.code ?? "unknown", response?.message ?? `The server answered with ${status}.`));
    };
    request.open("POST", `/api/v1/corpora/upload?reading=${reading}`);
    request.send(body);
  });
}

export const choose = (question, signal) => json("/api/v1/choose", { ...posted(question), signal });

export const ask = (question, signal) => events("/api/v1/ask/stream", question, signal);

// Gives every event as it comes; a client that stops listening leaves the queue.
async function* events(path, asked, signal) {
  const response = await call(path, { ...posted(asked), signal });
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let partial = "";
  for (;;) {
    let read;
    try {
      read = await lines.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem("unreachable", UNREACHED);
    }
    if (read.done) break;
    partial += read.value;
    const whole = partial.split("\n\n");
    partial = whole.pop();
    for (const event of whole) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}
