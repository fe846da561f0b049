// The line to the server: opened again when it breaks, and what was not acknowledged is sent again.

import { secret } from "../api.js";

const FIRST = 400;
const LONGEST = 5_000;
const AGAIN = 2_000;
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

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  function open() {
    clearTimeout(waiting);
    if (stopped) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const own = new WebSocket(`${scheme}//${location.host}/collect/api/live/${encodeURIComponent(task)}`);
    socket = own;
    own.onopen = () => {
      send({ type: "hello", csrf: secret(), ...state() });
      is("open");
    };
    own.onmessage = (event) => {
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
      is("broken", WORDS[event.code] ?? "");
      clearTimeout(waiting);
      waiting = setTimeout(open, event.code === 4008 ? LONGEST : delay);
      delay = Math.min(delay * 2, LONGEST);
    };
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
  // A network that is gone is noticed late by the socket alone.
  const gone = () => socket?.close();
  addEventListener("offline", gone);
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
      removeEventListener("offline", gone);
      removeEventListener("online", open);
      socket?.close();
    },
  };
}
