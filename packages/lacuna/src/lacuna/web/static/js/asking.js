// Ask one question to its end: wait where the server is busy, go on where a dialog is forgotten.

import { ask, choose, Problem } from "./api.js";

const TRIES = 5;

// Ends early where the question is stopped.
const sleep = (seconds, signal) =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, 1000 * seconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });

// Gives the answer; onEvent gets every event, also "busy" with the seconds until it tries again.
export async function askToTheEnd(question, signal, onEvent) {
  try {
    return await withRetries(() => once(question, signal, onEvent), signal, onEvent);
  } catch (error) {
    if (!question.after || !["answer-gone", "other-corpus"].includes(error.code)) throw error;
    return askToTheEnd({ ...question, after: null }, signal, onEvent);
  }
}

// The same for a question with choices, which has no events of its own.
export const chooseToTheEnd = (question, signal, onEvent) =>
  withRetries(() => choose(question, signal), signal, onEvent);

async function withRetries(attempt, signal, onEvent) {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (error.code !== "busy" || tries >= TRIES || signal.aborted) throw error;
      onEvent({ event: "busy", seconds: error.retryAfter ?? 2 });
      await sleep(error.retryAfter ?? 2, signal);
    }
  }
}

async function once(question, signal, onEvent) {
  for await (const event of ask(question, signal)) {
    if (event.event === "answer") return event.answer;
    if (event.event === "problem") throw new Problem(event.code, event.message);
    onEvent(event);
  }
  throw new Problem("broken-off", "The connection broke off before the answer came. Ask again.");
}
