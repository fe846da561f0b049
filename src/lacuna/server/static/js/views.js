// On a narrow page one part is shown at a time.

const buttons = () => document.querySelectorAll(".views button");

export function showView(name) {
  document.body.dataset.view = name;
  for (const button of buttons()) {
    button.setAttribute("aria-pressed", String(button.dataset.shows === name));
  }
}

export function setUpViews() {
  for (const button of buttons()) {
    button.addEventListener("click", () => showView(button.dataset.shows));
  }
}
