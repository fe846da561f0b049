"""Finding one's way in a real browser: passages, backlinks, short windows, print."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import ask, fits, needs_chromium, shoot, survey

pytestmark = needs_chromium

IN_VIEW = """(node) => {
  node.scrollIntoView();
  const { top, bottom, left, right } = node.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
}"""

SEEN = """(node) => {
  const { top, bottom, left, right } = node.getBoundingClientRect();
  const there = top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return there && (node === over || node.contains(over));
}"""
"""Whether it is seen as the page is, and nothing lies over it."""


def test_words_of_a_text_are_found_with_a_snippet_and_gone_to(page: Any) -> None:
    search = page.get_by_role("combobox", name="Search titles and texts")
    search.fill("first governor bank")
    page.locator("#title-list .snippet mark").first.wait_for()
    survey(page, "passages")
    place = page.locator("[role=option]:has(.snippet)").first
    snippet = place.locator(".snippet").inner_text()
    while place.get_attribute("aria-selected") != "true":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".document-text .here:focus").wait_for()
    shown = " ".join(page.locator(".document-text .here").all_inner_texts())
    assert snippet.split()[:3] == shown.split()[:3]


def test_what_links_here(page: Any) -> None:
    page.locator(".title-columns a", has_text="Torrow").first.click()
    page.get_by_text("What links here").press("Enter")
    page.locator(".backlinks li a").first.wait_for()
    survey(page, "backlinks")
    title = page.locator(".backlinks li a").first.inner_text()
    page.locator(".backlinks li a").first.press("Enter")
    page.locator(".document-head h2", has_text=title).wait_for()
    page.locator(".document-text .here:focus").wait_for()


def test_a_short_window_and_print(page: Any) -> None:
    page.set_viewport_size({"width": 640, "height": 360})  # 1280 x 720 at 200 %
    card = ask(page, "When was Gannery Light first lit?")
    assert page.locator("#ask-button").evaluate(IN_VIEW)
    assert card.get_by_role("button").last.evaluate(IN_VIEW)
    shoot(page, "short")
    page.get_by_role("button", name="Document", exact=True).click()
    assert page.locator(".backlinks summary").evaluate(IN_VIEW)
    assert fits(page)
    page.emulate_media(media="print")
    heights = page.evaluate(
        "['.document-pane', '.turns'].map((name) => document.querySelector(name))"
        ".map((box) => [box.scrollHeight, box.clientHeight])"
    )
    assert all(whole <= shown + 1 and shown > 0 for whole, shown in heights), heights


@pytest.mark.parametrize(("width", "height"), [(640, 400), (740, 360), (360, 740), (932, 430)])
def test_the_answer_is_in_sight_and_so_is_the_box(page: Any, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    box = page.locator("#ask-button")
    assert box.evaluate(SEEN), "before anything was asked"
    for question in ("When was Gannery Light first lit?", "Who founded the Sandreth Courier?"):
        card = ask(page, question)
        page.wait_for_timeout(200)
        assert card.locator(".answer-text").evaluate(SEEN)
        assert box.evaluate(SEEN)
    shoot(page, f"in-sight-{width}x{height}")


def test_a_title_stands_once_in_the_list(page: Any) -> None:
    page.get_by_role("combobox", name="Search titles and texts").fill("Torrow")
    options = page.get_by_role("option")
    page.get_by_role("option", name="Torrow", exact=True).wait_for()
    page.locator("#title-list .snippet").first.wait_for()
    shown = "(item) => [...item.childNodes].find((node) => node.nodeType === 3)?.data ?? ''"
    titles = [title for one in options.all() if (title := one.evaluate(shown))]
    assert len(titles) == len(set(titles)) < options.count()
    survey(page, "one-title-once")


def test_the_theme_button_says_what_it_does(page: Any) -> None:
    page.get_by_role("button", name="Theme: Auto. Switch to Light").click()
    page.get_by_role("button", name="Theme: Light. Switch to Dark").wait_for()
