"""Several corpora at once, and limits of a question, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browsing import LIGHT, WIDE, ask, needs_chromium, opened, shoot, survey
from stand_in import Site, listening

pytestmark = needs_chromium

TERN = "# A tern\n\nA tern is a bird. It was seen by [[Ada Quill]].\n"


def choose_both(page: Any) -> None:
    page.get_by_role("button", name="Corpus: ").click()
    page.get_by_role("heading", name="Choose a corpus").wait_for()
    if not page.get_by_text("Ask several together").count():
        files = [{"name": "A tern.md", "mimeType": "text/markdown", "buffer": TERN.encode()}]
        page.locator("#files").set_input_files(files)
        page.locator("#corpora").wait_for(state="hidden")
        page.get_by_role("button", name="Corpus: ").click()
    page.get_by_text("Ask several together").click()


def test_two_corpora_are_asked_as_one(notes: Any, site: Site) -> None:
    choose_both(notes)
    several = notes.locator(".several")
    several.get_by_role("button", name="Ask these together").press("Enter")
    several.get_by_text("Choose two of them at least.").wait_for()
    several.get_by_label("notes, 3 documents").press("Space")
    several.get_by_label("A tern, 1 document").press("Space")
    several.get_by_role("button", name="Ask these together").press("Enter")
    notes.locator("#corpora").wait_for(state="hidden")
    notes.locator("#corpus-name", has_text="notes and A tern").wait_for()
    notes.get_by_role("link", name="A tern").click()
    notes.locator(".document-text").get_by_role("link", name="Ada Quill").click()
    notes.get_by_text("was born in").first.wait_for()
    card = ask(notes, "What is it?")
    assert "from notes" in card.locator(".quotes .source").all_inner_texts()
    shoot(notes, "several-answered")
    notes.get_by_role("button", name="Corpus: ").click()
    notes.get_by_role("button", name="notes and A tern 4 documents").wait_for()
    notes.get_by_role("button", name="Delete notes and A tern").press("Enter")
    notes.get_by_role("button", name="Really delete notes and A tern?").press("Enter")
    notes.locator("#corpus-name", has_text="notes and A tern").wait_for(state="detached")


def test_in_every_window(notes: Any) -> None:
    choose_both(notes)
    notes.get_by_label("A tern, 1 document").scroll_into_view_if_needed()
    survey(notes, "several")
    notes.keyboard.press("Escape")
    notes.get_by_role("button", name="More …").click()
    notes.get_by_label("Times to go on along links").scroll_into_view_if_needed()
    survey(notes, "limits")


def test_windows_and_hops_are_kept_sent_and_kept_to(notes: Any, site: Site) -> None:
    notes.get_by_role("button", name="More …").click()
    notes.get_by_label("Windows to look into at a time").select_option(label="12")
    hops = notes.get_by_label("Times to go on along links")
    hops.select_option(label="3")
    told = notes.locator(f"#{hops.get_attribute('aria-describedby')}").inner_text()
    assert told.startswith("How often the search may go on")
    notes.reload()
    notes.wait_for_selector(".start h2")
    ask(notes, "What is it?")
    (query,) = site.stand_in.asked
    assert (query.windows, query.hops) == (12, 3)


def test_a_model_is_chosen_and_explained(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "models", models=["small", "our-own"])
    context = browser.new_context(viewport=WIDE, color_scheme=LIGHT)
    with listening(site.app) as address:
        page = opened(context, address)
        page.get_by_role("button", name="More …").click()
        model = page.get_by_label("Model", exact=True)
        assert model.locator("option").all_inner_texts() == ["As is usual (small)", "our-own"]
        told = page.locator(f"#{model.get_attribute('aria-describedby')}").inner_text()
        assert told.startswith("What reads the documents.")
        model.select_option(label="our-own")
        page.keyboard.press("Escape")
        ask(page, "What is it?")
        assert [query.model for query in site.stand_in.asked] == ["our-own"]
    context.close()
    assert page.errors == []


def test_a_limit_that_no_server_takes_is_told(notes: Any) -> None:
    """As after a change of what is allowed: what the browser kept is no longer known."""
    notes.evaluate("localStorage.setItem('settings', JSON.stringify({ windows: 1000, hops: 99 }))")
    with notes.expect_request("**/api/v1/ask/stream") as sent:
        ask(notes, "What is it?")
    asked = sent.value.post_data_json
    assert (asked["windows"], asked["hops"]) == (None, None)
