"""A person in a browser who works on the stand-in task, which has a form of its own."""

from __future__ import annotations

from typing import Any

from person_in_browser import PersonInBrowser

FORM = """
import { el } from "/static/js/dom.js";
export function show(root, { item, draft, change }) {
  const input = el("input", { id: "colour", value: draft.colour ?? null });
  const wrong = el("p", { class: "problem", id: "colour-problem" });
  input.addEventListener("input", () => change({ colour: input.value }));
  root.append(el("p", {}, item.shade), el("label", { for: "colour" }, "Colour"), input, wrong);
  return { mark: (problems) => (wrong.textContent = problems.map((one) => one.message).join(" ")) };
}
"""


def give_form(route: Any) -> None:
    route.fulfill(content_type="text/javascript", body=FORM)


class ColourNamer(PersonInBrowser):
    """Somebody who names colours."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        super().__init__(browser, address, **options)
        self.context.route("**/forms/colours.js", give_form)

    def begin(self) -> None:
        self.open_task("iirc-questions")
        self.page.get_by_label("Colour").wait_for()

    def hand_in(self, colour: str) -> None:
        self.page.get_by_label("Colour").fill(colour)
        self.press_hand_in()
