"""Asking in a real browser: stop, retry, edit, a second question, and what may be typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import ask, fits, needs_chromium, survey
from stand_in import Site

pytestmark = needs_chromium


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def type_and_enter(page: Any, question: str) -> None:
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")


def test_stop_and_retry_by_keyboard(notes: Any, site: Site) -> None:
    site.stand_in.may_go_on.clear()
    type_and_enter(notes, "What is it?")
    stop = notes.get_by_role("button", name="Stop")
    stop.focus()
    survey(notes, "asking")
    notes.keyboard.press("Enter")
    stopped = notes.locator(".card.stopped")
    stopped.wait_for()
    assert notes.locator("#question").input_value() == "What is it?"
    assert notes.evaluate("document.activeElement.textContent") == "Retry"
    survey(notes, "stopped")
    site.stand_in.may_go_on.set()
    notes.keyboard.press("Enter")
    notes.locator(".turn .answer-text").wait_for()
    assert notes.locator(".turn").count() == 1
    assert notes.locator("#question").input_value() == ""


def test_a_second_question_waits_in_line(notes: Any, site: Site) -> None:
    site.stand_in.may_go_on.clear()
    type_and_enter(notes, "Who is it?")
    notes.locator(".turn .card[aria-busy]").wait_for()
    type_and_enter(notes, "What is it?")
    type_and_enter(notes, "Where is it?")
    waits = notes.locator(".turn").nth(2)
    assert "Waits for the question before it" in waits.inner_text()
    notes.locator(".turn").nth(1).get_by_role("button", name="Stop").click()
    notes.locator(".turn").nth(1).locator(".stopped").wait_for()
    assert "Waits for the question before it" in waits.inner_text()
    survey(notes, "in-line")
    site.stand_in.may_go_on.set()
    waits.locator(".answer-text").wait_for()
    assert [query.question for query in site.stand_in.asked] == ["Who is it?", "Where is it?"]
    assert len(site.stand_in.asked[1].history) == 1


def test_a_new_dialog_leaves_what_is_asked(notes: Any, site: Site) -> None:
    ask(notes, "Who is it?")
    site.stand_in.may_go_on.clear()
    type_and_enter(notes, "What is it?")
    type_and_enter(notes, "Where is it?")
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    site.stand_in.may_go_on.set()
    ask(notes, "When is it?")
    assert notes.locator(".turn").count() == 1
    assert site.stand_in.asked[-1].history == ()


def test_a_failed_question_is_not_lost(notes: Any) -> None:
    notes.route("**/api/v1/ask/stream", lambda route: route.abort())
    type_and_enter(notes, "What is it?")
    failed = notes.locator(".card.failed")
    failed.get_by_text("does not answer").wait_for()
    assert notes.locator("#question").input_value() == "What is it?"
    survey(notes, "failed")
    failed.get_by_role("button", name="Edit").click()
    assert notes.evaluate("document.activeElement.id") == "question"
    assert notes.locator(".turn").count() == 0
    type_and_enter(notes, "Who is it?")
    failed.wait_for()
    notes.locator("#question").fill("something else")
    notes.unroute("**/api/v1/ask/stream")
    failed.get_by_role("button", name="Retry").click()
    notes.locator(".turn .answer-text").wait_for()
    assert notes.locator("#question").input_value() == "something else"
    notes.errors.clear()  # the browser notes every refusal by itself


def test_the_limit_is_told_while_typing_in_the_unit_of_the_server(notes: Any) -> None:
    told = notes.locator("#ask-length")
    box = notes.locator("#question")
    box.fill("why? " * 20)
    assert told.inner_text() == ""
    box.fill("𝔸" * 1_895 + "?")
    assert told.inner_text() == "1,896 of 2,000 characters"
    assert fits(notes)
    notes.keyboard.press("Enter")
    notes.locator(".turn .answer-text").wait_for()
    assert told.inner_text() == ""
    box.fill("𝔸" * 2_001)
    assert told.inner_text() == "2,001 of 2,000 characters"
    notes.keyboard.press("Enter")
    problem = notes.locator("#ask-problem")
    assert "longer than 2,000 characters" in problem.inner_text()
    assert notes.locator(".turn").count() == 1
    survey(notes, "too-long-told")
    box.fill("𝔸" * 2_000)
    assert problem.inner_text() == ""


def test_edit_the_question_and_what_it_was_read_as(notes: Any, site: Site) -> None:
    site.stand_in.changes["read_as"] = "What is Ada Quill?"
    ask(notes, "What is it?")
    notes.get_by_role("button", name="Edit what it was read as").click()
    assert notes.locator("#question").input_value() == "What is Ada Quill?"
    notes.get_by_role("button", name="Edit the question").click()
    assert notes.locator("#question").input_value() == "What is it?"
    assert notes.evaluate("document.activeElement.id") == "question"
