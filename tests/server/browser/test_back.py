"""Back and Forward move the whole page: document, place, dialog turn, and what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import WINDOWS, ask, needs_chromium, opened_narrow, shoot

pytestmark = needs_chromium

FIRST, SECOND = "What is the first?", "And the second?"


@pytest.fixture
def phone(browser: Any, at: str) -> Any:
    """The page of some notes on a phone; nothing may go wrong in it."""
    context = browser.new_context(**WINDOWS["phone"])
    page = opened_narrow(context, at)
    yield page
    context.close()
    assert page.errors == []


def turn_in_view(page: Any) -> str:
    """The question whose turn stands at the top of the dialog."""
    return str(
        page.evaluate(
            """() => {
              const pane = document.querySelector(".turns");
              const top = pane.getBoundingClientRect().top;
              const shown = [...pane.querySelectorAll(".turn")].find(
                (turn) => turn.getBoundingClientRect().bottom > top + 30);
              return shown?.querySelector("h3").textContent ?? "";
            }"""
        )
    )


def state(page: Any) -> tuple[str, list[str], str, str]:
    """What a person sees: the document, its current place, the turn, and what is asked of."""
    heading = page.locator(".document-pane h2").inner_text()
    here = page.locator(".document-text .here").all_inner_texts()
    asked_of = page.locator("#asked-of > :first-child").inner_text()
    return heading, here, turn_in_view(page), asked_of


def comes_to(page: Any, expected: tuple[str, list[str], str, str]) -> None:
    """The page gets there, and stays there."""
    for _ in range(40):
        page.wait_for_timeout(250)
        if state(page) == expected:
            break
    page.wait_for_timeout(250)
    assert state(page) == expected


def test_a_wide_page_goes_back_and_forward_as_a_whole(notes: Any) -> None:
    here = notes.locator(".document-text .here")
    seen = [state(notes)]
    notes.get_by_role("link", name="Marrow").click()
    notes.locator(".document-head h2", has_text="Marrow").wait_for()
    seen.append(state(notes))
    card = ask(notes, FIRST)
    notes.locator(".document-text .quoted").first.wait_for()
    seen.append(state(notes))
    card.locator("a.quote").click()
    here.first.wait_for()
    seen.append(state(notes))
    notes.get_by_role("combobox", name="Search titles").fill("Marrow")
    notes.get_by_role("option", name="Marrow", exact=True).wait_for()
    notes.keyboard.press("Enter")
    here.first.wait_for(state="detached")
    seen.append(state(notes))
    ask(notes, SECOND)
    notes.locator(".document-text .quoted").first.wait_for()
    seen.append(state(notes))
    assert len({str(one) for one in seen}) == len(seen)
    assert [turn for _, _, turn, _ in seen] == ["", "", FIRST, FIRST, FIRST, SECOND]
    for expected in seen[-2::-1]:
        notes.go_back()
        comes_to(notes, expected)
    assert notes.locator(".welcome").is_visible()
    for expected in seen[1:]:
        notes.go_forward()
        comes_to(notes, expected)


def test_a_new_dialog_can_be_left_and_come_back_to(notes: Any) -> None:
    ask(notes, FIRST)
    notes.locator(".document-text .quoted").first.wait_for()
    asked = state(notes)
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    new = state(notes)
    notes.go_back()
    comes_to(notes, asked)
    notes.go_forward()
    comes_to(notes, new)


def test_another_corpus_is_left_as_a_whole(notes: Any) -> None:
    ask(notes, FIRST)
    notes.locator(".document-text .quoted").first.wait_for()
    before = state(notes)
    notes.get_by_role("button", name="Corpus: ").click()
    notes.locator("#pasted").fill("The tern is a bird.")
    notes.get_by_role("button", name="Ask about this text").click()
    notes.locator("#corpus-name", has_text="Pasted text").wait_for()
    notes.go_back()
    notes.locator("#corpus-name", has_text="notes").wait_for()
    comes_to(notes, before)
    notes.go_back()
    notes.locator(".welcome").wait_for()
    assert notes.locator("#corpus-name").inner_text() == "notes"
    assert notes.locator(".start h2").inner_text() == "notes"


def test_going_back_takes_no_question_that_waits(notes: Any, site: Any) -> None:
    notes.get_by_role("link", name="Marrow").click()
    notes.locator(".document-text").wait_for()
    site.stand_in.may_go_on.clear()
    notes.locator("#question").fill(FIRST)
    notes.keyboard.press("Enter")
    notes.locator(".card[aria-busy]").wait_for()
    notes.go_back()
    notes.locator(".start h2").wait_for()
    assert notes.locator(".turn-question").inner_text() == FIRST
    site.stand_in.may_go_on.set()
    notes.locator(".turn .answer-text").wait_for()


def becomes(page: Any, expression: str, value: object) -> None:
    """The policy of the page forbids playwright's own way to wait for a value."""
    for _ in range(100):
        if page.evaluate(expression) == value:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{expression} is {page.evaluate(expression)}, not {value}")


def test_where_a_document_was_scrolled_to(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    page.get_by_role("link", name="Torrow", exact=True).click()
    page.locator(".backlinks").wait_for()
    page.locator("#document").evaluate("(pane) => pane.scrollTo(0, 120)")
    becomes(page, "history.state.visit.top", 120)
    page.locator(".document-text a").last.evaluate("(link) => link.click()")
    page.locator(".document-head h2:not(:text-is('Torrow'))").wait_for()
    top = "document.getElementById('document').scrollTop"
    becomes(page, top, 0)
    page.go_back()
    page.locator(".document-head h2:text-is('Torrow')").wait_for()
    becomes(page, top, 120)
    page.reload()
    page.locator(".document-head h2:text-is('Torrow')").wait_for()
    becomes(page, top, 120)


def test_on_a_phone_back_leaves_the_document_for_the_dialog(phone: Any) -> None:
    def view() -> str:
        phone.wait_for_timeout(200)
        visible = [
            name for name in ("document", "dialog") if phone.locator(f".{name}-pane").is_visible()
        ]
        return " ".join(visible)

    card = ask(phone, FIRST)
    assert view() == "dialog"
    quote = card.locator("a.quote")
    quote.tap()
    phone.locator(".document-text .here").first.wait_for()
    assert view() == "document"
    shoot(phone, "phone-source")
    phone.go_back()
    assert view() == "dialog"
    assert turn_in_view(phone) == FIRST
    shoot(phone, "phone-back")
    phone.go_forward()
    assert view() == "document"
    assert phone.locator(".document-text .here").first.is_visible()
    phone.keyboard.press("Escape")
    assert view() == "dialog"
    assert quote.evaluate("(node) => node === document.activeElement"), "where one was"
    quote.tap()  # to where the page is already
    assert view() == "document"
    phone.get_by_role("button", name="Dialog", exact=True).tap()
    assert view() == "dialog"
    phone.go_back()
    assert view() == "document"
    phone.go_back()
    assert view() == "dialog"


def test_a_link_of_the_dialog_without_a_place_shows_its_document_too(phone: Any) -> None:
    card = ask(phone, "Nothing")
    card.locator(".places a").first.tap()
    phone.locator(".document-head h2").wait_for()
    phone.go_back()
    card.wait_for()


def test_a_shared_document_is_shown_on_a_phone(browser: Any, at: str) -> None:
    context = browser.new_context(**WINDOWS["phone"])
    page = context.new_page()
    page.goto(f"{at}/#doc=Marrow")
    page.locator(".document-head h2", has_text="Marrow").wait_for()
    context.close()


def test_escape_leads_back_to_the_quote_that_was_followed(notes: Any) -> None:
    card = ask(notes, FIRST)
    quote = card.locator("a.quote")
    quote.press("Enter")
    notes.locator(".document-text .here:focus").wait_for()
    notes.keyboard.press("Escape")
    assert quote.evaluate("(node) => node === document.activeElement")
    notes.keyboard.press("Enter")  # to where the page is already
    notes.locator(".document-text .here:focus").wait_for()


def test_what_is_looked_up_slowly_does_not_come_after_what_was_asked_later(notes: Any) -> None:
    ask(notes, FIRST)
    notes.locator(".document-text .quoted").first.wait_for()
    asked = state(notes)
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    notes.evaluate("history.back()")
    notes.evaluate("history.forward()")
    notes.wait_for_timeout(500)
    assert notes.locator(".welcome").is_visible()
    notes.go_back()
    comes_to(notes, asked)
