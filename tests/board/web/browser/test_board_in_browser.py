"""A board in a real browser, without a script: looked at, sent to, and read.

LACUNA_SHOTS=FOLDER keeps a picture of every state; axe looks at each for what hinders people.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board_site import EXAMPLES, GOOD, IIRC, BoardSite, answers
from browsing import TIMEOUT_MILLISECONDS, browser, needs_chromium, shoot
from stand_in import listening

__all__ = ["browser"]
pytestmark = needs_chromium
WINDOWS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BoardSite:
    made = BoardSite(tmp_path_factory.mktemp("boards") / "board", a_week=9)
    made.board.tables.add("hotpotqa", EXAMPLES / "hotpotqa.json", None, "HotpotQA", None)
    return made


@pytest.fixture(scope="module")
def address(site: BoardSite) -> Iterator[str]:
    with listening(site.app) as at:
        site.scored(answers(), name="Always none", description="Says <b>none</b>.")
        yield at


@pytest.fixture
def open_window(browser: Any) -> Iterator[Any]:
    opened: list[Any] = []

    def window(name: str) -> Any:
        # The policy forbids scripts, and axe is one.
        context = browser.new_context(**WINDOWS[name], bypass_csp=True)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MILLISECONDS)
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        opened.append((context, page))
        return page

    yield window
    for context, page in opened:
        context.close()
        assert page.errors == []


def test_a_team_sends_a_refused_and_a_good_file(
    site: BoardSite, address: str, open_window: Any, tmp_path: Path
) -> None:
    page = open_window("light")
    page.goto(f"{address}/submit")
    page.get_by_label("Your team's key").fill("not a key at all")
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("This is no team's key").wait_for()
    shoot(page, "board-login")
    page.get_by_label("Your team's key").fill(site.keys["Us"])
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Us").wait_for()

    (tmp_path / "bad.json").write_bytes(b'{"q_1": "27", "<i>x</i>": "y"}')
    (tmp_path / "good.json").write_bytes(GOOD)
    number = _send(page, address, "Broken", tmp_path / "bad.json")
    assert site.settled(number).state == "refused"
    page.get_by_role("link", name="Look again").click()
    page.get_by_text("6 questions have no prediction").wait_for()
    assert "'<i>x</i>'" in page.locator("main").inner_text()
    shoot(page, "board-refused")

    number = _send(page, address, "By hand", tmp_path / "good.json")
    assert site.settled(number).state == "scored"
    page.reload()
    page.get_by_text("Everybody sees this entry.").wait_for()
    shoot(page, "board-own-entry", whole=True)
    page.get_by_role("button", name="Make it private").click()
    page.get_by_text("Only your team sees this entry.").wait_for()
    page.get_by_role("button", name="Make it public").click()
    page.goto(f"{address}/team")
    shoot(page, "board-team")


@pytest.mark.parametrize("window", WINDOWS)
def test_everybody_looks_at_it(
    site: BoardSite, address: str, open_window: Any, window: str
) -> None:
    if len(site.board.submissions.shown()) < 2:
        site.scored(GOOD, name="By hand")
    page = open_window(window)
    page.goto(address)
    rows = page.locator("table").first.locator("tbody tr").all_inner_texts()
    assert [row.split("\n")[0].strip() for row in rows[:2]] == ["Human", "Always abstain"]
    assert "1." in rows[2]
    shoot(page, f"board-{window}", whole=True)
    assert fits(page)
    page.get_by_role("link", name="iirc, oracle-context").click()
    shoot(page, f"board-table-{window}", whole=True)
    assert fits(page)
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("columnheader", name="p-value").wait_for()
    shoot(page, f"board-compare-{window}")
    assert fits(page)
    page.goto(f"{address}/entries/1")
    page.get_by_text("Says <b>none</b>.").wait_for()
    shoot(page, f"board-entry-{window}", whole=True)
    assert fits(page)


def test_a_team_sees_on_a_phone_what_became_of_its_files(
    site: BoardSite, address: str, open_window: Any
) -> None:
    site.scored(b'{"q_1": "27"}', name="A file with one answer and a name that is long")
    page = open_window("phone")
    page.goto(f"{address}/login")
    page.get_by_label("Your team's key").fill(site.keys["Us"])
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Us").wait_for()
    why = page.get_by_text("6 questions have no prediction").first.bounding_box()
    assert why["x"] + why["width"] <= page.viewport_size["width"]
    shoot(page, "board-team-phone", whole=True)
    assert fits(page)
    page.goto(f"{address}/nothing-is-here")
    page.get_by_role("heading", name="Not Found").wait_for()
    shoot(page, "board-not-there-phone")


def test_the_keyboard_is_enough(address: str, open_window: Any) -> None:
    page = open_window("light")
    page.goto(f"{address}/tables/{IIRC}")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    seen = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.textContent.trim().slice(0, 25)"))
    assert {"Always none", "questions without answers"} <= seen


def fits(page: Any) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def _send(page: Any, address: str, name: str, file: Path) -> int:
    page.goto(f"{address}/submit")
    page.get_by_label("Name of the system").fill(name)
    page.get_by_label("Description").fill("Two lines\nof text.")
    page.get_by_label("Code").fill("https://example.org/code")
    page.get_by_label("Predictions").set_input_files(str(file))
    if name == "Broken":
        shoot(page, "board-submit", whole=True)
    page.get_by_role("button", name="Send").click()
    page.get_by_role("heading", name=name).wait_for()
    return int(page.url.rpartition("/")[2])
