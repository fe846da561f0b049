// The line to the server: opened again when it breaks, and what was not acknowledged is sent again.
// A network can also swallow everything without a word, which a socket notices after many minutes: so
// the server is asked for a sign of life when it has been quiet.

import { secret } from "../api.js";

const FIRST = 400;
const LONGEST = 5_000;
const AGAIN = 2_000;
const LOOKS_EVERY = 1_000;
const QUIET = 5_000;
const ANSWERS_WITHIN = 10_000; // also of the first answer, from the moment of opening on
const FINAL = new Set([4001, 4003]);
const WORDS = {
  1009: "That was far too long to be sent.",
  4008: "That was far too much at once. It goes on in a few seconds.",
};

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// state() gives {dialog, seen, wait} for the hello; told(message) gets what comes; is("open" | "broken" | "final").
export function openLine(task, { state, told, is }) {
  let socket = null;
  let delay = FIRST;
  let waiting = null;
  let stopped = false;
  let unsent = null; // at most one: people take turns
  let heard = 0;
  let asked = 0; // since when a sign of life is waited for; 0 while it is not

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  function open() {
    clearTimeout(waiting);
    if (stopped) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const own = new WebSocket(`${scheme}//${location.host}/collect/api/live/${encodeURIComponent(task)}`);
    socket = own;
    asked = Date.now();
    own.onopen = () => {
      if (socket !== own) return;
      asked = Date.now();
      send({ type: "hello", csrf: secret(), ...state() });
      send({ type: "here" }); // not every hello has an answer
      is("open");
    };
    own.onmessage = (event) => {
      if (socket !== own) return; // what an abandoned socket still says is told anew on the next
      heard = Date.now();
      asked = 0;
      delay = FIRST;
      take(JSON.parse(event.data));
    };
    own.onclose = (event) => {
      if (socket !== own || stopped) return;
      if (FINAL.has(event.code)) {
        is("final");
        return;
      }
      if (event.code === 1009) unsent = null;
      broken(WORDS[event.code] ?? "", event.code === 4008 ? LONGEST : delay);
    };
  }
  function broken(words, wait) {
    is("broken", words);
    clearTimeout(waiting);
    waiting = setTimeout(open, wait);
    delay = Math.min(delay * 2, LONGEST);
  }
  // Closing waits for the other side, which may never say a word: the next socket does not wait for it.
  function abandon() {
    if (socket === null || socket.readyState === WebSocket.CLOSED) return;
    const lost = socket;
    socket = null;
    lost.close();
    broken("", delay);
  }
  function look() {
    const now = Date.now();
    if (asked && now - asked > ANSWERS_WITHIN) {
      asked = 0;
      abandon();
    } else if (!asked && now - heard > QUIET && socket?.readyState === WebSocket.OPEN) {
      asked = now;
      send({ type: "here" });
    }
  }
  function take(message) {
    if ((message.type === "ack" || message.type === "refused") && unsent?.key === message.key) {
      if (message.code === "database") setTimeout(() => unsent && send(unsent), AGAIN);
      else unsent = null;
    }
    told(message);
    // What got lost on the way is said again, with the same key: the server keeps it once.
    if (message.type === "dialog" && unsent) send(unsent);
    if (message.type === "ended") unsent = null;
  }
  const looking = setInterval(look, LOOKS_EVERY);
  addEventListener("offline", abandon);
  addEventListener("online", open);
  open();
  return {
    send,
    say(body) {
      unsent = { type: "say", key: newKey(), ...body };
      send(unsent);
    },
    isSaying: () => unsent !== null,
    again: open,
    close() {
      stopped = true;
      clearTimeout(waiting);
      clearInterval(looking);
      removeEventListener("offline", abandon);
      removeEventListener("online", open);
      socket?.close();
    },
  };
}
