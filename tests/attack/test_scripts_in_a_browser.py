"""Names and texts that want to be scripts, shown by the page in a real browser: they stay text."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import ARGUMENTS, CHROMIUM, WIDE, ask, needs_chromium, opened
from stand_in import TOKEN, Site, listening

from lacuna.web.access import Access

Rounds = Callable[[], Iterator[random.Random]]
pytestmark = needs_chromium
STRINGS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    '"><svg onload=alert(3)>',
    "'-alert(4)-'",
    "javascript:alert(5)",
    "</title><script>alert(6)</script>",
    "<iframe srcdoc='<script>alert(7)</script>'>",
    "{{constructor.constructor('alert(8)')()}}",
    "<a href=javascript:alert(9)>x</a>",
    "<style>*{display:none}</style>",
    "<base href=//evil.example>",
    "&lt;script&gt;alert(10)&lt;/script&gt;",
    "\u202e<script>\u2066alert(11)</script>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(12)>",
)


def note(rng: random.Random) -> str:
    """A note with such strings wherever one can stand."""
    title, text, code, target = (rng.choice(STRINGS) for _ in range(4))
    return f"# {title}\n\nIt says {text} here. And `{code}`, see [[{target}]] or [x]({target}).\n"


def test_strings_that_want_to_be_scripts(rounds: Rounds, tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for rng in rounds():
            notes = tmp_path / "notes"
            shutil.rmtree(tmp_path, ignore_errors=True)
            notes.mkdir(parents=True)
            for number in range(6):
                name = rng.choice(STRINGS).replace("/", "∕")
                (notes / f"{number} {name}.md").write_text(note(rng), encoding="utf-8")
            site = Site(tmp_path, access=Access([TOKEN]))
            context = browser.new_context(viewport=WIDE)
            with listening(site.app) as address:
                page = opened(context, address)
                title = rng.choice(list(site.stand_in.store.titles()))
                page.get_by_role("combobox", name="Search titles").fill(title)
                page.get_by_role("option").first.wait_for()
                page.keyboard.press("Enter")
                ask(page, f"{rng.choice(STRINGS)}?")
                ask(page, rng.choice(STRINGS).replace("?", ""))
                page.reload()
                page.locator(".turn").first.wait_for()
                seen = [one for one in page.errors if "ERR_CONNECTION" not in one]
                assert seen == []
                assert page.locator("main script, main iframe, main img, main base").count() == 0
            context.close()
        browser.close()
