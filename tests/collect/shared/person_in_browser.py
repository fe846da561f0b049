"""A person with a browser of their own, on the pages of a project."""

from __future__ import annotations

from typing import Any

from browsing import shoot
from collect_site import PASSWORD


class PersonInBrowser:
    """What everybody does there; what is sent and what goes wrong is kept."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        options.setdefault("viewport", {"width": 1280, "height": 900})
        self.context = browser.new_context(**options)
        self.address = address
        self.traffic: list[str] = []
        self.errors: list[str] = []
        self.page = self.tab()

    def tab(self) -> Any:
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def watch(self) -> None:
        """Keep all that the interface sends from now on."""

        def pass_on(route: Any) -> None:
            got = route.fetch()
            self.traffic.append(got.text())
            route.fulfill(response=got)

        self.page.route("**/collect/api/**", pass_on)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    def register(self, code: str, name: str) -> None:
        self.go(f"/collect/join/{code}")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.get_by_role("heading", name="Tasks").wait_for()

    def open_task(self, task: str) -> None:
        self.go(f"/collect/tasks/{task}")
        self.page.locator("main .buttons button").click()

    def press_hand_in(self) -> None:
        self.page.get_by_role("button", name="Hand in").click()
        self.page.get_by_role("heading", name="Handed in").wait_for()

    def look(self, name: str, *, whole: bool = False) -> None:
        """Take a picture, and let axe look."""
        self.page.locator("main h1").wait_for()
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert self.page.evaluate(wide), name
        if whole:
            self.page.evaluate("scrollTo(0, 0)")
        shoot(self.page, f"collect-{name}", whole=whole)
