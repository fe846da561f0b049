// A language model of this machine: looked for when a person opens this, and not before.

import { findLanguageModels, takeLanguageModel } from "./api.js";
import { announce, el } from "./dom.js";

const NONE =
  "None answers at the usual ports: Ollama 11434, LM Studio 1234, llama.cpp 8080, vLLM 8000. " +
  "Start one, and open this again.";

// onTaken(name): questions may choose it.
export async function languageModels(onTaken) {
  const said = el("p", { class: "problem", role: "alert" });
  const list = el("ul", { class: "corpus-list" });
  const take = async (port, model) => {
    said.textContent = "";
    try {
      onTaken((await takeLanguageModel(port, model)).model);
      announce(`The next questions go to ${model}.`);
    } catch (problem) {
      said.textContent = problem.message;
    }
  };
  const { servers } = await findLanguageModels();
  for (const { name, port, models } of servers) {
    for (const model of models) {
      const use = () => take(port, model);
      list.append(el("li", {}, el("button", { type: "button", onclick: use }, model, el("small", {}, `${name}, port ${port}`))));
    }
  }
  return el("div", {}, servers.length ? list : el("p", {}, NONE), said);
}
