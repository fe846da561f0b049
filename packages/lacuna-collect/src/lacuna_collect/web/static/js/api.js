// The JSON interface of the server.

export class Refused extends Error {
  constructor(status, told) {
    super(told.message ?? `The server answered with ${status}.`);
    this.status = status;
    this.code = told.code ?? "unknown";
    this.problems = told.problems ?? [];
    this.told = told;
  }
}

const UNREACHED = "The server does not answer. Nothing is lost; it is tried again.";
const API = "/collect/api/";
let csrf = "";

async function call(method, path, body, options = {}) {
  const headers = { "X-Lacuna-CSRF": csrf };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(API + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      ...options,
    });
  } catch {
    throw new Refused(0, { code: "unreachable", message: UNREACHED });
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, told);
  return told;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body, options) => call("PUT", path, body, options);

// Who is logged in; every write after it carries the session's own secret.
export async function session(path = "session", body = undefined) {
  const told = await call(body === undefined ? "GET" : "POST", path, body);
  csrf = told.csrf ?? "";
  return told;
}

// What a WebSocket says of itself when it is opened.
export const secret = () => csrf;

export const part = (value) => encodeURIComponent(value);
