// The page about the server: what it is, and its limits as the interface describes them.

import { getServer } from "./api.js";
import { count } from "./counts.js";
import { el } from "./dom.js";

const KB = 2 ** 10;
const UNITS = ["seconds", "hours"];
const number = (value) => value.toLocaleString("en");

function amount(name, value, meaning) {
  const unit = UNITS.find((one) => name.endsWith(`_${one}`));
  if (unit) return `${number(value)} ${unit}`;
  if (!meaning.startsWith("Bytes")) return number(value);
  return value < KB ** 2 ? `${number(value / KB)} KB` : `${number(value / KB ** 2)} MB`;
}

const table = (rows) =>
  el("article", {}, el("table", { class: "amounts" }, rows.map(([head, value]) =>
    el("tr", {}, el("th", { scope: "row" }, head), el("td", {}, value)))));

function show(server, meanings) {
  document.getElementById("server").replaceChildren(
    table([
      ["Version of Lacuna", server.version],
      ["Models", server.models.join(", ") || "one"],
      ["Corpora", server.corpora.map(({ name, documents }) => `${name} (${count(documents, "document")})`).join("; ")],
      ["Changes of files", server.watches ? "are followed" : "are read when it is started again"],
      ["Feedback", server.feedback ? "is kept" : "is not taken"],
      ["People", server.person ? "have a token each, and see only what is theirs" : "share one token, or none is asked for"],
    ]),
  );
  const rows = Object.entries(server.limits).map(([name, value]) => {
    const meaning = meanings[name].description;
    return [meaning, amount(name, value, meaning)];
  });
  document.getElementById("limits").replaceChildren(table(rows));
}

try {
  const [server, described] = await Promise.all([getServer(), fetch("/openapi.json").then((got) => got.json())]);
  show(server, described.components.schemas.Limits.properties);
} catch (problem) {
  document.getElementById("server").replaceChildren(el("p", { class: "problem", role: "alert" }, problem.message));
}
