"""Links that were followed: lit in the documents, and on the way that is drawn to an answer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import httpx
import pytest
from browsing import ask, needs_chromium, show, survey
from stand_in import KNOWN

pytestmark = needs_chromium

LED = "How old was the island's best-known native when the strike that she led began?"
ALONE = "When was Gannery Light first lit?"
Place = tuple[str, int, int, str]


def followed(answered: dict[str, Any]) -> set[Place]:
    """What the trace says: links that were chosen in a step after which it was looked there."""
    steps = answered["steps"]
    return {
        (link["source"], link["start"], link["end"], link["title"])
        for step, after in pairwise(steps)
        if (step["stage"], after["stage"]) == ("spot", "find")
        for link in step["candidates"]
        if link["chosen"]
    }


def lit(page: Any, corpus: str, answer: str, title: str) -> set[Place]:
    """What the page says of one document."""
    show(page, corpus=corpus, doc=title, answer=answer)
    lit = page.locator(".document-text a.followed")
    page.locator(".document-head h2", has_text=title).wait_for()
    params = {"title": title}
    url = f"{page.url.split('/#')[0]}/api/v1/corpora/{corpus}/document"
    text = httpx.get(url, params=params, headers=KNOWN).json()
    shown = [(link.get_attribute("data-title"), link.inner_text()) for link in lit.all()]
    places = set()
    for name, words in shown:
        (place,) = (
            (title, link["start"], link["end"], name)
            for link in text["links"]
            if link["title"] == name and text["text"][link["start"] : link["end"]] == words
        )
        places.add(place)
    return places


@pytest.mark.parametrize(
    ("question", "title"),
    [
        (LED, "Torrow"),
        ("How much rain falls on Torrow in a year?", "Torrow"),
        ("Where was the island's native born?", "Torrow"),
        (ALONE, "Gannery Light"),
        ("Who was the first governor of the bank that paid for the railway?", None),
    ],
)
def test_exactly_the_links_that_were_followed_are_lit(
    page: Any, address: str, question: str, title: str | None
) -> None:
    asked = {"question": question, "title": title}
    got = httpx.post(f"{address}/api/v1/ask", json=asked, headers=KNOWN, timeout=60).json()
    expected = followed(got)
    sources = {source for source, *_ in expected} | {got["context"]}
    show(page, corpus=got["corpus"], doc=got["context"], answer=got["id"])
    page.locator(".turn-question", has_text=question).wait_for()
    shown = set()
    for source in sorted(sources):
        shown |= lit(page, got["corpus"], got["id"], source)
    assert shown == expected
    told = page.get_by_text("Links that were followed are highlighted.")
    assert told.count() == (1 if any(source == sorted(sources)[-1] for source, *_ in shown) else 0)


def test_a_context_that_answers_alone_has_followed_none(page: Any) -> None:
    page.route(
        "**/api/v1/answers/alone",
        lambda route: route.fulfill(json={"answers": [alone(page)]}),
    )
    show(page, corpus="demo", doc="Torrow", answer="alone")
    page.locator(".turn-question").wait_for()
    assert page.locator(".document-text a").count() > 5
    assert page.locator(".document-text a.followed").count() == 0


def alone(page: Any) -> dict[str, Any]:
    """An answer whose links were chosen, but not looked behind."""
    url = f"{page.url.split('/#')[0].split('?')[0].rstrip('/')}/api/v1/ask"
    asked = {"question": LED, "title": "Torrow"}
    got: dict[str, Any] = httpx.post(url, json=asked, headers=KNOWN, timeout=60).json()
    spot = next(step for step in got["steps"] if step["stage"] == "spot")
    return {**got, "id": "alone", "quotes": [], "steps": [spot]}


def test_links_stay_lit_in_a_dialog_that_the_server_forgot(page: Any) -> None:
    ask(page, LED)
    page.locator(".document-text a.followed").first.wait_for()
    before = page.locator(".document-text a.followed").all_inner_texts()
    refusal = {"code": "answer-gone", "message": "It is gone."}
    page.route("**/api/v1/answers/*", lambda route: route.fulfill(status=410, json=refusal))
    page.reload()
    page.locator(".document-text a.followed").first.wait_for()
    assert page.locator(".document-text a.followed").all_inner_texts() == before
    page.errors.clear()  # the browser notes the refusal by itself


def test_the_nodes_of_the_way_lead_to_their_places(page: Any) -> None:
    page.get_by_role("combobox", name="Search titles").fill("Torrow")
    page.get_by_role("option", name="Torrow", exact=True).wait_for()
    page.keyboard.press("Enter")
    card = ask(page, LED)
    way = card.locator(".path svg")
    nodes = way.locator("a.node")
    assert nodes.first.locator("small").inner_text() == "Context"
    link = nodes.filter(has_text="Link").first
    name = link.locator("span").inner_text()
    link.press("Enter")
    here = page.locator(".document-text .here")
    here.first.wait_for()
    assert here.inner_text() == name
    assert here.evaluate("(node) => node.closest('a').className").split() == ["followed", "led"]
    survey(page, "path-link")
    nodes.filter(has_text="Read there").first.click()
    page.locator(".document-head h2", has_text=name).wait_for()
    page.locator(".document-text .here:focus").wait_for()
    nodes.first.click()
    page.locator(".document-head h2", has_text="Torrow").wait_for()
    assert page.locator(".document-text .here").count() == 0


def test_a_document_that_a_link_of_another_one_led_to(page: Any) -> None:
    """The way is told by the trace: over a document that a search found."""
    quote = {
        "document": "Agnes Penhale", "section": ["Agnes Penhale"], "text": "Agnes", "start": 0,
        "end": 5, "marks": [], "followed": None, "place": None,
    }  # fmt: skip
    link = {
        "title": "Agnes Penhale", "score": 1.0, "chosen": True, "text": "", "start": 2, "end": 9,
        "section": [], "dangling": False, "source": "Torrow",
    }  # fmt: skip
    ways = page.evaluate(
        """async ([quote, link]) => {
          const { wayTo } = await import("/static/js/followed.js");
          const step = (stage, hop, ...candidates) => ({ stage, hop, candidates });
          const steps = [step("spot", 1, link), step("find", 1)];
          const ways = [
            { context: "Osk", steps },
            { context: "Osk", steps: [...steps, ...steps] },
            { context: "Osk", steps: [step("spot", 1, link)] },
            { context: "Agnes Penhale", steps },
          ];
          return ways.map((answered) => wayTo(answered, quote).map(({ source }) => source));
        }""",
        [quote, link],
    )
    assert ways == [["Torrow"], [], [], []]
