"""A real browser, and the page in it, over the demo corpus and the shipped model.

LACUNA_SHOTS=FOLDER keeps a picture of every state, to be looked at. LACUNA_OTHER_THEME=1 shows each
in the other theme than it is usually tested in: the dark ones light, the light ones dark.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from barriers import COLOURS, barriers
from stand_in import TOKEN, demo_app, listening

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WIDE = {"width": 1360, "height": 960}
TIMEOUT_MILLISECONDS = 60_000
LIGHT, DARK = ("dark", "light") if os.environ.get("LACUNA_OTHER_THEME") else ("light", "dark")
WINDOWS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": DARK, "has_touch": True},
    "laptop": {"viewport": {"width": 1280, "height": 800}, "color_scheme": LIGHT},
    "large": {"viewport": {"width": 1920, "height": 1080}, "color_scheme": DARK},
    "zoomed": {
        "viewport": {"width": 640, "height": 400},  # 1280 x 800 at 200 %
        "device_scale_factor": 2,
        "color_scheme": LIGHT,
    },
}
"""Windows that every state must do in; each theme has a narrow one and a wide one."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LACUNA_CACHE", str(tmp_path_factory.mktemp("cache")))
        with listening(demo_app()) as at:
            yield at


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A fresh page; nothing may go wrong in it that the person does not see."""
    context = browser.new_context(viewport=WIDE, color_scheme=LIGHT)
    page = opened(context, address)
    yield page
    context.close()
    assert page.errors == []


def opened(context: Any, address: str, shows: str = ".start h2") -> Any:
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MILLISECONDS)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("dialog", lambda dialog: page.errors.append(f"alert: {dialog.message}"))
    page.on(
        "console",
        lambda line: page.errors.append(line.text) if line.type == "error" else None,
    )
    page.goto(f"{address}/?token={TOKEN}")
    page.wait_for_selector(shows)
    return page


@pytest.fixture(params=WINDOWS)
def anywhere(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """A fresh page in each of the windows; ``size`` is the name of it."""
    context = browser.new_context(**WINDOWS[request.param])
    page = opened_narrow(context, address)
    page.size = request.param
    yield page
    context.close()
    assert page.errors == []


def shoot(page: Any, name: str, *, whole: bool = False) -> None:
    """Take a picture of a state that nothing may hinder people in."""
    if folder := os.environ.get("LACUNA_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=whole)
    found = barriers(page)
    assert not found, f"{name}: {found}"


def survey(page: Any, name: str) -> None:
    """Look at a state in each of the windows: nothing may hinder people, and nothing be cut off.

    The page itself becomes narrow and wide, in both themes; afterwards it is as it was before.
    """
    before = page.viewport_size
    was_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for size, window in WINDOWS.items():
        theme = window["color_scheme"]
        page.set_viewport_size(window["viewport"])
        page.emulate_media(color_scheme=DARK if theme == LIGHT else LIGHT)
        found = barriers(page, COLOURS)
        assert not found, f"{name}, {size}, in the other theme: {found}"
        page.emulate_media(color_scheme=theme)
        shoot(page, f"{name}-{size}")
        assert fits(page), f"{name} is cut off: {size}"
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="dark" if was_dark else "light")


def ask(page: Any, question: str) -> Any:
    """Type a question, and give the card of its answer."""
    before = page.locator(".turn").count()
    page.keyboard.press("/")
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    card = page.locator(".turn").nth(before).locator(".card:not([aria-busy])")
    card.wait_for()
    return card


def open_choices(page: Any) -> None:
    """By keys: the fields for a question with choices, which stand behind "More …"."""
    page.get_by_role("button", name="More …").press("Enter")
    page.get_by_role("button", name="Ask with choices").press("Enter")
    page.get_by_role("group", name="Core fact and choices").wait_for()


def show(page: Any, **place: str) -> None:
    """Go to an address."""
    page.evaluate("(hash) => { location.hash = hash; }", urlencode(place))
    page.locator(".document-head h2", has_text=place["doc"]).wait_for(state="attached")


def fits(page: Any) -> bool:
    """Whether nothing is wider than the window."""
    wide = "document.documentElement.scrollWidth <= innerWidth"
    inside = "[...document.querySelectorAll('.card, .turns, .document-pane, dialog[open]')]"
    return bool(
        page.evaluate(f"{wide} && {inside}.every((box) => box.scrollWidth <= box.clientWidth + 1)")
    )


def opened_narrow(context: Any, address: str) -> Any:
    """A page that may show the dialog alone."""
    return opened(context, address, ".welcome")
