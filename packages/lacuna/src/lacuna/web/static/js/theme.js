// Dark and light: as the system says, until a person says otherwise.

const NEXT = { system: "light", light: "dark", dark: "system" };
const NAMES = { system: "Auto", light: "Light", dark: "Dark" };

export function setUpTheme(button) {
  const chosen = () => document.documentElement.dataset.theme ?? "system";
  const show = () => {
    button.textContent = NAMES[chosen()];
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
