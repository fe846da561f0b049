"""What is around a document: drawn and as a list, with the way to an answer in it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from browsing import fits, needs_chromium, shoot, show
from stand_in import KNOWN

pytestmark = needs_chromium

QUESTION = "How old was the island's best-known native when the strike that she led began?"


@pytest.fixture(scope="module")
def answered(address: str) -> Any:
    """An answer, for which two links were followed to what it rests on."""
    asked = {"question": QUESTION, "title": "Torrow"}
    return httpx.post(f"{address}/api/v1/ask", json=asked, headers=KNOWN, timeout=60).json()


def ends(page: Any, kind: str) -> set[tuple[str, str]]:
    """From where to where the lines of a kind lead."""
    lines = page.locator(f".graph .edge{kind}")
    found = lines.evaluate_all("(all) => all.map((line) => JSON.parse(line.dataset.ends))")
    return {(source, target) for source, target in found}


def show_graph(page: Any, **place: str) -> None:
    show(page, **place)
    if page.viewport_size["width"] < 860:
        page.get_by_role("button", name="Document", exact=True).press("Enter")
    page.get_by_role("link", name="Show what is around it").press("Enter")
    page.locator(".graph svg").wait_for()


def test_the_way_of_the_answer_is_lit_and_nothing_else(anywhere: Any, answered: Any) -> None:
    page = anywhere
    show_graph(page, corpus=answered["corpus"], doc="Torrow", answer=answered["id"])
    led = {
        ("Torrow", quote["document"]) for quote in answered["quotes"] if quote["followed"]
    }  # each by a link of the context
    assert len(led) == 2
    assert ends(page, ".lit") == led
    assert ends(page, ".searched") == set()
    on_way = {"Torrow", *(quote["document"] for quote in answered["quotes"])}
    assert set(page.locator(".graph .on-way a").all_inner_texts()) == on_way
    listed = page.locator(".neighbourhood li.on-way a").all_inner_texts()
    assert {"Torrow", *listed} == on_way
    assert page.get_by_text("The way to the answer is highlighted.").is_visible()
    drawn, listed = page.locator(".graph a"), page.locator(".neighbourhood li a")
    assert drawn.count() == listed.count() + 1
    assert fits(page)
    page.locator(".graph").scroll_into_view_if_needed()
    shoot(page, f"graph-{page.size}")
    listed.last.scroll_into_view_if_needed()
    shoot(page, f"graph-list-{page.size}")


def test_it_shows_the_links_that_there_are(page: Any, address: str) -> None:
    show_graph(page, corpus="demo", doc="Torrow")
    query = {"title": "Torrow", "limit": "24"}
    url = f"{address}/api/v1/corpora/demo/graph"
    found = httpx.get(url, params=query, headers=KNOWN).json()
    assert ends(page, "") == {(link["source"], link["target"]) for link in found["links"]}
    assert ends(page, ".lit") == set()
    assert page.locator(".graph a").count() == len(found["documents"])
    more = f"{len(found['documents']) - 1} documents, and {found['left_out']} more that are not"
    assert page.get_by_text(more).is_visible()


def test_keys_alone(page: Any, answered: Any) -> None:
    show_graph(page, corpus=answered["corpus"], doc="Torrow", answer=answered["id"])
    focused = "document.activeElement.dataset.title"
    page.get_by_role("link", name="Show its text").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Torrow"
    page.keyboard.press("ArrowRight")
    first = page.evaluate(focused)
    assert first in {quote["document"] for quote in answered["quotes"]}, "the way comes first"
    assert page.locator(".edge.stressed").count() >= 1, "its links stand out"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    third = page.evaluate(focused)
    page.keyboard.press("ArrowLeft")
    left = page.evaluate(focused)
    assert len({first, third, left}) == 3
    shoot(page, "graph-focused")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == third
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # one stop
    last = page.evaluate(focused)
    page.keyboard.press("Enter")
    page.locator(".document-head h2", has_text=last).wait_for()
    assert page.locator(".document-text").is_visible()
    page.go_back()
    page.locator(".graph svg").wait_for()
    page.go_back()
    page.locator(".document-text").wait_for()
    assert page.locator(".document-head h2").inner_text() == "Torrow"


def test_a_way_that_leads_beyond_the_neighbourhood(page: Any, answered: Any) -> None:
    """Around another document the way is drawn too; what a search found is dashed."""
    quote = {**answered["quotes"][0], "document": "Hale Thole", "followed": None}
    shared = {**answered, "id": "searched", "quotes": [quote], "steps": []}
    page.route("**/answers/searched", lambda route: route.fulfill(json={"answers": [shared]}))
    show_graph(page, corpus=answered["corpus"], doc="Herring Fair", answer="searched")
    assert ends(page, ".lit") == {("Torrow", "Hale Thole")}
    assert ends(page, ".searched") == {("Torrow", "Hale Thole")}
    assert set(page.locator(".graph .on-way a").all_inner_texts()) == {"Torrow", "Hale Thole"}
    assert page.locator(".graph .below a").all_inner_texts() == ["Hale Thole"], "in no column"
    assert page.get_by_text("it is dashed").is_visible()
    shoot(page, "graph-searched")


def test_a_document_without_links(notes: Any) -> None:
    notes.get_by_role("link", name="Evil").click()
    notes.get_by_role("link", name="Show what is around it").click()
    notes.get_by_text("No link leads from here or to here.").wait_for()
    told = notes.locator(".neighbourhood").inner_text()
    assert told == "No link leads from here or to here.", "neither drawn nor counted"
    shoot(notes, "graph-alone")
