"""Questions that are known to be answered, in a real browser: to begin with, and to go on with."""

from __future__ import annotations

from typing import Any

from browsing import ask, fits, needs_chromium, shoot, survey
from stand_in import Site

pytestmark = needs_chromium

BEGIN = "Questions to begin with"
GO_ON = "Questions to go on with"
TERN = "# Tern\n\nThe tern is a bird. It was drawn by Ida Marsh in 1911.\n"


def test_of_an_upload_and_after_an_answer_with_the_real_model(page: Any) -> None:
    page.get_by_role("button", name="Corpus: ").click()
    files = [{"name": "Tern.md", "mimeType": "text/markdown", "buffer": TERN.encode()}]
    page.locator("#files").set_input_files(files)
    welcome = page.locator(".welcome")
    welcome.get_by_role("heading", name=BEGIN).wait_for()
    first = welcome.get_by_role("button", name="When was the tern drawn?")
    assert "answered by Tern" in first.inner_text()
    shoot(page, "suggested-to-begin")
    first.press("Enter")
    card = page.locator(".turn .card:not([aria-busy])")
    assert card.locator(".answer-text").inner_text().startswith("1911")
    assert welcome.count() == 0


def test_to_go_on_in_the_demo(page: Any) -> None:
    ask(page, "When was Gannery Light first lit?")
    suggested = page.get_by_role("region", name=GO_ON)
    suggested.get_by_role("heading", name=GO_ON).wait_for()
    questions = suggested.get_by_role("button").locator("span").all_inner_texts()
    assert 1 <= len(questions) <= 3
    assert "When was Gannery Light first lit?" not in questions
    suggested.scroll_into_view_if_needed()
    shoot(page, "suggested-to-go-on")
    assert fits(page)
    suggested.get_by_role("button").first.click()
    card = page.locator(".turn").nth(1).locator(".card:not([aria-busy])")
    card.wait_for()
    assert "gap" not in (card.get_attribute("class") or ""), "it was known to be answered"
    assert card.locator(".degree").count() == 0, "and to be sure enough"
    assert page.locator(".turn-question").last.inner_text() == questions[0]


def test_they_give_way_to_what_is_asked(notes: Any, site: Site) -> None:
    with site.stand_in.store.writer() as writer:
        writer.remove("Evil")  # so that what was found before no longer holds
    site.stand_in.may_try.clear()
    notes.reload()
    notes.get_by_text("Looking for questions that these documents answer").wait_for()
    shoot(notes, "suggested-looking")
    with notes.expect_event("requestfailed") as given_up:
        notes.locator("#question").fill("What is it?")
        notes.keyboard.press("Enter")
    assert given_up.value.url.endswith("/api/v1/suggest/stream")
    site.stand_in.may_try.set()
    notes.locator(".turn .answer-text").wait_for()
    assert notes.locator(".turn").count() == 1


def test_none_are_shown_where_none_are_found(notes: Any, site: Site) -> None:
    followed = [""]

    def goes_on(response: Any) -> bool:
        if not response.url.endswith("/suggest/stream"):
            return False
        return response.request.post_data_json.get("after") not in (None, *followed)

    with notes.expect_response(goes_on) as got:
        ask(notes, "What is it?")
    followed.append(got.value.request.post_data_json["after"])
    site.stand_in.changes["probable"] = True
    with notes.expect_response(goes_on):
        notes.locator("#question").fill("Who is it?")
        notes.keyboard.press("Enter")
    suggested = notes.locator(".suggested")
    suggested.get_by_role("status").wait_for(state="detached")  # all were tried
    assert suggested.inner_text() == ""


def test_in_every_window(notes: Any) -> None:
    notes.get_by_role("heading", name=BEGIN).wait_for()
    survey(notes, "suggested-begin")
    ask(notes, "What is it?")
    notes.wait_for_timeout(300)
    survey(notes, "suggested-go-on")
