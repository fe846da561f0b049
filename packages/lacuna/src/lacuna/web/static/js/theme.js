// Dark and light: as the system says, until a person says otherwise.

import { el } from "./dom.js";

const NEXT = { system: "light", light: "dark", dark: "system" };
const NAMES = { system: "Auto", light: "Light", dark: "Dark" };

export function setUpTheme(button) {
  const chosen = () => document.documentElement.dataset.theme ?? "system";
  const show = () => {
    button.replaceChildren(el("span", { class: "theme-word" }, "Theme: "), NAMES[chosen()]);
    const action = `Theme: ${NAMES[chosen()]}. Switch to ${NAMES[NEXT[chosen()]]}`;
    button.setAttribute("aria-label", action);
    button.title = action;
  };
  button.addEventListener("click", () => {
    const next = NEXT[chosen()];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem("theme", next);
    }
    show();
  });
  show();
}
