"""Questions with choices among earlier dialogs, in a real browser over a few notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from browsing import ask, needs_chromium, open_choices, shoot, survey

pytestmark = needs_chromium


def choose(page: Any) -> Any:
    open_choices(page)
    page.get_by_text("the corpus is not read for it").wait_for()
    page.get_by_role("button", name="Fill in an example").click()
    page.get_by_role("button", name="Ask", exact=True).click()
    card = page.locator(".turn .card:not([aria-busy])").last
    card.locator(".choice-scores").wait_for()
    return card


def open_menu(page: Any) -> Any:
    page.get_by_role("button", name="More …").click()
    page.get_by_role("heading", name="Dialogs and settings").wait_for()
    return page.locator("#menu")


def test_a_dialog_with_choices_is_opened_and_gone_on_with(notes: Any) -> None:
    ask(notes, "What is it?")
    choose(notes)
    of = notes.locator(".turn").nth(1).locator(".turn-of").inner_text()
    assert "answered from everyday knowledge, not from the corpus" in of
    shoot(notes, "choices-without-corpus")
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    menu = open_menu(notes)
    entry = menu.get_by_role("button", name="What is it? notes, 2 questions, with choices")
    shoot(notes, "menu-with-choices")
    entry.press("Enter")
    notes.locator(".choice-scores").wait_for()
    questions = notes.locator(".turn-question").all_inner_texts()
    assert questions[0] == "What is it?"
    assert len(questions) == 2
    assert of == notes.locator(".turn").nth(1).locator(".turn-of").inner_text()
    assert notes.locator(".turn .card[aria-busy]").count() == 0, "nothing is asked again"
    other = notes.locator(".choice-scores label:not(.answer) input").first
    other.check()
    assert notes.locator(".choice-gap").get_attribute("aria-label")
    notes.locator("#question").fill("Who is it?")
    notes.locator("#question").press("Enter")
    notes.locator(".turn").nth(2).locator(".card:not([aria-busy])").wait_for()
    kept = json.loads(notes.evaluate("localStorage.getItem('dialogs')"))
    assert [bool(one.get("choices")) for one in kept[0]["answers"]] == [False, True, False]
    assert len(kept) == 1
    notes.reload()
    notes.locator(".turn").nth(2).wait_for()
    assert notes.locator(".choice-scores").count() == 1, "nor lost when the page is loaded again"


def test_one_of_choices_alone_and_as_a_file(notes: Any) -> None:
    choose(notes)
    open_menu(notes)
    with notes.expect_download() as download:
        notes.get_by_role("button", name="Save as Markdown").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "Core fact: heat passes quickly through metals" in text
    assert "- B: a steel ladle" in text
    assert "\nChoice " in text
    notes.keyboard.press("Escape")
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    open_menu(notes).get_by_role("button", name="1 question, with choices").click()
    notes.locator(".choice-scores").wait_for()
    assert notes.locator(".turn").count() == 1


def test_in_every_window(notes: Any) -> None:
    choose(notes)
    survey(notes, "kept-choices")
