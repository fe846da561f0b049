"""Coming back to one's own documents: to the same server, and to one that has forgotten them."""

from __future__ import annotations

from typing import Any

import httpx
from browsing import ask, fits, needs_chromium, opened_narrow, survey
from stand_in import KNOWN

pytestmark = needs_chromium

HERON = {
    "name": "Heron.md",
    "mimeType": "text/markdown",
    "buffer": b"# Heron\n\nThe heron eats fish. It was seen by [[Ida Marsh]].\n",
}


def upload(page: Any) -> None:
    page.get_by_role("button", name="Corpus: ").click()
    page.locator("#files").set_input_files([HERON])
    page.get_by_role("heading", name="Heron", exact=True).wait_for()


def come_back(notes: Any, at: str) -> Any:
    """Open the page in a new tab, by the address that the server prints."""
    page = opened_narrow(notes.context, at)
    page.locator("#corpus-name:not(:text-is('…'))").wait_for()
    return page


def test_the_page_opens_with_what_was_asked_last(notes: Any, at: str) -> None:
    upload(notes)
    assert come_back(notes, at).locator("#corpus-name").inner_text() == "notes", "nothing was asked"
    ask(notes, "What does it eat?")
    page = come_back(notes, at)
    page.get_by_role("heading", name="Heron", exact=True).wait_for()
    assert page.locator("#corpus-name").inner_text() == "Heron"
    assert page.locator(".welcome .gone").count() == 0
    assert page.errors == []


def test_what_was_uploaded_again_goes_on_with_its_dialogs(notes: Any, at: str) -> None:
    upload(notes)
    ask(notes, "What does it eat?")
    gone = notes.evaluate("JSON.parse(localStorage.getItem('dialogs'))[0].corpus")
    httpx.delete(f"{at}/api/v1/corpora/{gone}", headers=KNOWN).raise_for_status()
    page = come_back(notes, at)
    assert page.locator("#corpus-name").inner_text() == "notes"
    told = page.locator(".welcome .gone").inner_text()
    assert told.startswith("Heron, which you asked last, is not here any more")
    survey(page, "upload-is-gone")
    upload(page)
    assert page.locator(".welcome .gone").count() == 0
    page.get_by_role("button", name="More …").click()
    page.locator("#menu").get_by_role("button", name="What does it eat? Heron").click()
    for _ in range(2):
        card = page.locator(".turn", has_text="What does it eat?").locator(".card")
        card.locator("a.quote").first.click()
        quoted = page.locator(".document-text .here", has_text="The heron eats fish.")
        quoted.wait_for()
        assert f"corpus={gone}" not in page.url
        page.reload()  # the server knows this answer, but of the upload that is gone
        quoted.wait_for()
    card = ask(page, "And what else?")
    assert "The heron eats fish." in card.inner_text(), "a follow-up is answered, too"
    assert page.locator(".turn").count() == 2
    page.errors.clear()  # the browser notes every refusal by itself


def test_how_an_upload_goes_is_seen_in_a_short_window(notes: Any) -> None:
    held: list[Any] = []
    notes.route("**/api/v1/corpora/upload*", lambda route: held.append(route))
    notes.get_by_role("button", name="Corpus: ").click()
    notes.set_viewport_size({"width": 640, "height": 400})
    notes.locator("#files").set_input_files([HERON])
    told = notes.locator("#corpora .progress")
    told.get_by_text("Reading the documents …").wait_for()
    for top in (0, 10_000):
        notes.locator("#corpora").evaluate("(window, top) => window.scrollTo(0, top)", top)
        box = told.bounding_box()
        assert 0 <= box["y"] <= 400 - box["height"], f"scrolled to {top}"
    survey(notes, "upload-goes-on")
    assert fits(notes)
    held[0].continue_()
    notes.locator("#corpus-name", has_text="Heron").wait_for()
