// The page about the interface, made from openapi.json: no tool is loaded from elsewhere.

import { el } from "./dom.js";

const EXAMPLE = `curl ${location.origin}/api/v1/ask -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"question": "How high is Carrow Fell?"}'`;

const name = (ref) => ref.split("/").at(-1);

function type(schema) {
  if (!schema || !Object.keys(schema).length) return "anything";
  if (schema.$ref) return el("a", { href: `#${name(schema.$ref)}` }, name(schema.$ref));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.flatMap((part, at) => (at ? [" | ", type(part)] : [type(part)]));
  if (schema.prefixItems) return ["[", ...schema.prefixItems.flatMap((part, at) => (at ? [", ", type(part)] : [type(part)])), "]"];
  if (schema.type === "array") return ["list of ", type(schema.items)].flat();
  return schema.type ?? "anything";
}

const table = (rows) =>
  rows.length
    ? el("table", {}, rows.map(([head, ...cells]) =>
        el("tr", {}, el("th", { scope: "row" }, head), cells.map((cell, at) => el("td", { class: at ? null : "type" }, cell)))))
    : null;

function body(operation) {
  const [[kind, { schema } = {}] = []] = Object.entries(operation.requestBody?.content ?? {});
  return kind ? [["body", type(schema), kind]] : [];
}

function route(path, method, operation) {
  const parameters = (operation.parameters ?? []).map((one) => [
    one.name, type(one.schema), one.required ? "needed" : "",
  ]);
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status !== "422" || operation.responses[status].description !== "Validation Error")
    .map(([status, { description, content = {} }]) => [
      status, Object.entries(content).map(([kind, { schema }]) => (schema && Object.keys(schema).length ? type(schema) : kind)).flat(), description,
    ]);
  return el(
    "article",
    {},
    el("h3", {}, el("span", { class: "method" }, method.toUpperCase()), ` ${path}`),
    el("p", {}, operation.description ?? operation.summary),
    table([...parameters, ...body(operation)]),
    table(answers),
    path === "/api/v1/ask" ? el("pre", { tabindex: "0", role: "region", "aria-label": "An example" }, EXAMPLE) : null,
  );
}

const described = await (await fetch("/openapi.json")).json();
document.getElementById("routes").replaceChildren(
  ...Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(path, method, operation))),
);
document.getElementById("types").replaceChildren(
  ...Object.entries(described.components.schemas)
    .filter(([title]) => !title.startsWith("Body_") && !title.includes("ValidationError"))
    .map(([title, schema]) =>
      el(
        "article",
        { id: title },
        el("h3", {}, title),
        schema.description ? el("p", {}, schema.description) : null,
        schema.enum ? el("p", {}, schema.enum.map((value) => JSON.stringify(value)).join(" | ")) : null,
        table(Object.entries(schema.properties ?? {}).map(([field, one]) => [field, type(one), one.description ?? ""])),
      )),
);
