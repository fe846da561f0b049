"""A real browser, and the page in it, over the demo corpus and the shipped model.

LACUNA_SHOTS=FOLDER keeps a picture of every state, to be looked at.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from barriers import barriers
from stand_in import TOKEN, demo_app, listening

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WIDE = {"width": 1360, "height": 960}
PATIENCE = 60_000


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
    context = browser.new_context(viewport=WIDE, color_scheme="light")
    page = opened(context, address)
    yield page
    context.close()
    assert page.errors == []


def opened(context: Any, address: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("dialog", lambda dialog: page.errors.append(f"alert: {dialog.message}"))
    page.on(
        "console",
        lambda line: page.errors.append(line.text) if line.type == "error" else None,
    )
    page.goto(f"{address}/?token={TOKEN}")
    page.wait_for_selector(".start h2")
    return page


def shoot(page: Any, name: str, *, whole: bool = False) -> None:
    """Take a picture of a state that nothing may hinder people in."""
    if folder := os.environ.get("LACUNA_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=whole)
    found = barriers(page)
    assert not found, f"{name}: {found}"


def ask(page: Any, question: str) -> Any:
    """Type a question, and give the card of its answer."""
    before = page.locator(".turn").count()
    page.keyboard.press("/")
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    card = page.locator(".turn").nth(before).locator(".card:not([aria-busy])")
    card.wait_for()
    return card


def fits(page: Any) -> bool:
    """Whether nothing is wider than the window."""
    wide = "document.documentElement.scrollWidth <= innerWidth"
    inside = "[...document.querySelectorAll('.card, .turns, .document-pane')]"
    return bool(
        page.evaluate(f"{wide} && {inside}.every((box) => box.scrollWidth <= box.clientWidth + 1)")
    )


def opened_narrow(context: Any, address: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/?token={TOKEN}")
    page.locator(".welcome").wait_for()
    return page
