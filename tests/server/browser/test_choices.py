"""Questions with choices in a real browser."""

from __future__ import annotations

from typing import Any

import httpx
from browsing import (
    ask,
    fits,
    needs_chromium,
    open_choices,
    opened,
    opened_narrow,
    shoot,
    survey,
)
from stand_in import KNOWN

pytestmark = needs_chromium


def fill_in(page: Any) -> None:
    """By keys alone: to the fields, and what they ask for."""
    open_choices(page)
    page.keyboard.type("Which of these would a strong magnet pull?")
    page.keyboard.press("Tab")
    page.keyboard.type("a magnet pulls iron")
    for choice in ("a wool scarf", "a steel nail", "a glass bead"):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "BUTTON":
            page.keyboard.press("Tab")
        page.keyboard.type(choice)


def asked(page: Any) -> Any:
    page.keyboard.press("Enter")
    card = page.locator(".turn .card:not([aria-busy])").last
    card.locator(".choice-scores").wait_for()
    return card


def test_choose_switch_and_come_back(page: Any, address: str) -> None:
    fill_in(page)
    survey(page, "choices-form")
    assert "mode=choices" in page.url
    assert fits(page)
    card = asked(page)
    said = card.locator(".answer-text").inner_text()
    assert said in ("a wool scarf", "a steel nail", "a glass bead")
    assert card.locator(".card-head .sure").inner_text().endswith(" %")
    assert card.locator(".fact").inner_text() == "a magnet pulls iron"
    span = card.locator(".fact mark").inner_text()
    assert span in "a magnet pulls iron"
    assert card.get_by_text("The gap, filled").is_visible()
    assert card.locator(".relation + .quotes .quote").count() == 1, "the line that states it"
    sentence = card.locator(".filled").inner_text()
    assert said in sentence
    assert span in sentence
    assert said in page.locator("#announcer").inner_text()
    assert not page.get_by_role("group", name="Core fact and choices").is_visible()
    page.wait_for_timeout(200)
    survey(page, "choices")
    card.locator(".heat").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    shoot(page, "choices-map")
    check_map(page, card)
    assert fits(page)

    other = card.locator(".choice-scores label:not(.answer)").first
    text = other.locator(".text").inner_text()
    card.locator(".choice-scores label.answer input").focus()
    while not other.locator("input").is_checked():
        page.keyboard.press("ArrowDown")
    assert text in card.locator(".unfilled").inner_text()
    assert "is missing" in page.locator("#announcer").inner_text()
    assert card.locator(".heat .best").count() == 0
    assert card.get_by_text("The gap stays open").is_visible()  # nothing is known of wool and iron
    assert text in (card.get_by_role("table").locator("caption").text_content() or "")
    shoot(page, "choices-other")
    assert "shown=" in page.url

    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    again = page.locator(".turn .card:not([aria-busy])")
    again.locator(".choice-scores").wait_for()
    assert again.locator(".answer-text").inner_text() == said
    assert text in again.locator(".unfilled").inner_text()
    assert page.locator(".turn").count() == 1


def check_map(page: Any, card: Any) -> None:
    """A real table: a row for each line and one for all, a column for each relation, shaded."""
    table = card.get_by_role("table")
    assert table.locator("thead th[scope=col]").count() == 18
    rows = table.locator("tbody tr").count()
    assert rows >= 1
    assert table.locator("tbody th[scope=row]").count() == rows
    assert table.locator("tbody td").count() == 17 * rows
    assert table.locator("tfoot td").count() == 17
    assert card.locator(".relation b").inner_text() == "made of"
    assert table.locator("thead th.best").inner_text() == "made of, reversed"
    assert "⁻¹" not in page.locator("body").inner_text()
    for cell in table.locator("tfoot td").all():
        percent = int(cell.text_content())
        assert (cell.get_attribute("title") or "").endswith(f": {percent} %")
        step = int((cell.get_attribute("class") or "").split()[0].removeprefix("shade-"))
        assert abs(step - percent / 10) <= 0.6
    shades = "[...document.querySelectorAll('.scale i')].map((i) => getComputedStyle(i).background)"
    assert len(set(page.evaluate(shades))) == 11


def test_a_choice_that_is_the_key_span(page: Any) -> None:
    fill_in(page)
    page.get_by_label("Choice B", exact=True).fill("Iron")
    card = asked(page)
    card.locator(".choice-scores label", has_text="Iron").click()
    assert card.get_by_text("There is no gap").is_visible()
    assert "“Iron” is the key span itself" in card.locator(".unfilled").inner_text()
    assert card.locator(".quote").count() == 0
    assert card.get_by_role("table").is_visible()
    shoot(page, "choices-no-gap")


def test_the_example_and_what_is_missing(page: Any) -> None:
    open_choices(page)
    page.keyboard.type("Which?")
    page.keyboard.press("Enter")
    page.get_by_text("There is no core fact yet").wait_for()
    assert page.evaluate("document.activeElement.id") == "fact"
    page.keyboard.type("a fact")
    page.keyboard.press("Enter")
    page.get_by_text("fewer than two choices").wait_for()
    survey(page, "choices-missing")
    page.get_by_role("button", name="Fill in an example").click()
    assert page.get_by_label("Core fact", exact=True).input_value() != "a fact"
    count = page.locator(".choice-list input").count()
    page.get_by_role("button", name="Add a choice").click()
    page.keyboard.type("<b>none</b> of these 𝔸")
    page.get_by_role("button", name="Remove choice A").click()
    assert page.locator(".choice-list input").count() == count
    first = page.get_by_label("Choice A", exact=True).input_value()
    card = asked(page)
    assert card.locator(".choice-scores label").count() == count
    assert card.locator(".choice-scores .text").first.inner_text() == first
    assert card.locator(".choice-scores .text").last.inner_text() == "<b>none</b> of these 𝔸"
    assert page.locator("#ask-problem").inner_text() == ""

    card.get_by_role("button", name="Change and ask again").click()
    assert page.get_by_label("Choice A", exact=True).input_value() == first
    page.get_by_role("button", name="Without choices").click()
    assert not page.get_by_role("group", name="Core fact and choices").is_visible()


def test_the_key_span_behind_characters_of_two_units(page: Any, address: str) -> None:
    open_choices(page)
    page.get_by_role("button", name="Fill in an example").click()
    fact = page.get_by_label("Core fact", exact=True)
    fact.fill(f"𝔸𝔹 {fact.input_value()}")
    typed = {
        "question": page.locator("#question").input_value(),
        "fact": fact.input_value(),
        "choices": [one.input_value() for one in page.locator(".choice-list input").all()],
    }
    card = asked(page)
    told = httpx.post(f"{address}/api/v1/choose", json=typed, headers=KNOWN, timeout=60).json()
    assert card.locator(".fact mark").inner_text() == told["key_span"]["text"]
    assert card.locator(".filled").inner_text() == told["gaps"][0]["filled"]


def test_beside_other_questions(page: Any) -> None:
    first = ask(page, "When was Gannery Light first lit?").locator(".answer-text").inner_text()
    open_choices(page)
    page.get_by_role("button", name="Fill in an example").click()
    page.locator(".document-text a").first.click()  # a draft stays while something is looked up
    assert page.get_by_role("group", name="Core fact and choices").is_visible()
    page.locator("#question").focus()
    asked(page)
    assert page.locator(".turn").count() == 2
    page.go_back()
    page.go_back()
    assert page.locator(".turn .answer-text").first.inner_text() == first
    page.get_by_role("button", name="New dialog").click()
    page.locator(".welcome").wait_for()


def test_a_refusal_keeps_what_was_typed(page: Any) -> None:
    page.route("**/api/v1/choose", lambda route: route.fulfill(status=500, body="{}"))
    fill_in(page)
    page.keyboard.press("Enter")
    page.locator(".card.failed").wait_for()
    assert page.get_by_label("Choice B", exact=True).input_value() == "a steel nail"
    assert page.locator("#question").input_value().startswith("Which of these")
    page.errors.clear()  # the browser notes every refusal by itself


def test_another_question_waits_and_the_first_can_be_stopped(page: Any) -> None:
    page.route("**/api/v1/choose", lambda route: None)  # is never answered
    fill_in(page)
    page.keyboard.press("Enter")
    page.locator(".card[aria-busy]").wait_for()
    page.keyboard.type("When was Gannery Light first lit?")
    page.keyboard.press("Enter")
    page.get_by_text("Waits for the question before it").wait_for()
    page.get_by_role("button", name="Stop").first.click()
    page.locator(".turn .card:not([aria-busy]) .answer-text").wait_for()
    assert page.locator(".turn").count() == 2
    assert page.locator(".turn .stopped").get_by_role("button", name="Retry").is_visible()
    assert not page.get_by_role("group", name="Core fact and choices").is_visible()


def test_dark(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 1360, "height": 1500}, color_scheme="dark")
    page = opened(context, address)
    fill_in(page)
    shoot(page, "choices-form-dark")
    asked(page)
    page.wait_for_timeout(200)
    shoot(page, "choices-dark")
    context.close()


def test_narrow(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = opened_narrow(context, address)
    fill_in(page)
    shoot(page, "choices-form-narrow")
    assert fits(page)
    card = asked(page)
    page.wait_for_timeout(200)
    shoot(page, "choices-narrow")
    assert fits(page)
    box = card.locator(".heat-box")
    box.scroll_into_view_if_needed()
    assert box.evaluate("(box) => box.scrollWidth > box.clientWidth")
    row, best = card.locator(".heat tbody th").first, card.locator(".heat th.best")
    words_end = row.bounding_box()["x"] + row.bounding_box()["width"]
    assert row.bounding_box()["x"] >= box.bounding_box()["x"] - 1  # its words stay in sight
    assert words_end <= best.bounding_box()["x"] <= 390  # and so does what fills the gap
    shoot(page, "choices-map-narrow")
    context.close()
