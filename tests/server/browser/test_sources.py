"""The page in a real browser, over a few notes: where quotes stand, what was not read, changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import LIGHT, WIDE, ask, fits, needs_chromium, opened, shoot, survey
from stand_in import Site, listening

pytestmark = needs_chromium


@pytest.fixture
def notes(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A page over notes with a file that cannot be read, which are watched."""
    monkeypatch.setattr("lacuna.pipeline.open_corpus.SECONDS", 0.1)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "model.xyz").write_text("?")
    site = Site(tmp_path, watch=True)
    context = browser.new_context(viewport=WIDE, color_scheme=LIGHT)
    with listening(site.app) as address:
        page = opened(context, address)
        yield page
    context.close()
    assert [error for error in page.errors if "ERR_CONNECTION" not in error] == []


def test_a_quote_names_its_file_and_the_path_can_be_copied(notes: Any, tmp_path: Path) -> None:
    card = ask(notes, "What is it?")
    source = card.locator(".quotes .source")
    assert source.locator("span").inner_text() == "Ada Quill.md:3"
    assert source.locator("a").count() == 0, "a browser would not open it"
    notes.context.grant_permissions(["clipboard-read", "clipboard-write"])
    source.get_by_role("button", name="Copy path").click()
    source.get_by_role("button", name="Copied").wait_for()
    copied = notes.evaluate("navigator.clipboard.readText()")
    assert copied == str(tmp_path / "notes" / "Ada Quill.md")
    survey(notes, "source-of-a-note")
    card.locator("a.quote").click()
    notes.wait_for_selector(".document-text .here")
    assert notes.locator(".document-head .source span").inner_text() == "Ada Quill.md"
    assert fits(notes)


def test_a_gap_has_a_source_too(notes: Any) -> None:
    card = ask(notes, "Nothing")
    assert card.locator(".quotes .source span").inner_text() == "Ada Quill.md:3"


def test_what_could_not_be_read_is_shown(notes: Any) -> None:
    told = notes.get_by_text("1 file could not be read.", exact=True)
    told.click()
    assert "model.xyz: " in notes.locator(".start .skipped").inner_text()
    survey(notes, "unread")
    notes.get_by_role("button", name="Corpus: ").click()
    small = notes.locator(".corpus-list small")
    assert small.inner_text() == "3 documents; 1 file could not be read"


def test_a_change_is_shown(notes: Any, tmp_path: Path) -> None:
    notes.get_by_role("link", name="Marrow").click()
    notes.get_by_text("is a ferry").wait_for()
    text = "# Marrow\n\nThe Marrow is a wreck.\n"
    (tmp_path / "notes" / "Marrow.md").write_text(text, encoding="utf-8")
    notes.get_by_text("The Marrow is a wreck.").wait_for()
    assert notes.locator("#updated").inner_text().startswith("updated ")
    shoot(notes, "updated")
    assert fits(notes)


@pytest.mark.parametrize(
    ("url", "link", "buttons"),
    [
        ("https://a.example/b#c", "https://a.example/b#c", 0),
        ("obsidian://open?path=b", "obsidian://open?path=b", 0),
        ("file:///notes/b%20c.md#d", None, 1),
        ("javascript:alert(1)", None, 0),
        ("data:text/html,<script>alert(1)</script>", None, 0),
        ("", None, 0),
    ],
)
def test_only_what_can_be_opened_is_a_link(
    notes: Any, url: str, link: str | None, buttons: int
) -> None:
    made = notes.evaluate(
        """async (url) => {
          const { sourceLine } = await import("/static/js/source-line.js");
          const line = sourceLine({ file: "b.md", text: "b.md:1", url });
          const link = line.querySelector("a");
          const count = line.querySelectorAll("button").length;
          return [line.firstChild.textContent, link && link.getAttribute("href"), count];
        }""",
        url,
    )
    assert made == ["b.md:1", link, buttons]
