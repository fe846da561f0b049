// Not a module, so that it runs before the first paint: the page must not flash in the other theme.
const chosenTheme = localStorage.getItem("theme");
if (chosenTheme === "light" || chosenTheme === "dark") {
  document.documentElement.dataset.theme = chosenTheme;
}
