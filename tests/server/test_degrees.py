"""How sure an answer is to be, and the alternatives, over the JSON interface."""

from __future__ import annotations

from typing import Any

import pytest
from stand_in import Site

from lacuna.types import AnswerKind

GIVEN = "What is the Marrow?"
NOTHING = "Nothing asked"


def ask(site: Site, question: str = GIVEN, **more: Any) -> Any:
    asked = {"question": question, "title": "Marrow", **more}
    return site.client.post("/api/v1/ask", json=asked)


@pytest.fixture
def others(site: Site) -> list[str]:
    """Six alternatives, of which the last is too many."""
    texts = ["a ferry", "The Marrow", "Ada Quill", "1931", "built", "in 1931"]
    made = (site.stand_in.other("Marrow", text, 0.3 - at / 20) for at, text in enumerate(texts))
    site.stand_in.changes["alternatives"] = tuple(made)
    return texts


@pytest.mark.parametrize(
    ("wanted", "degree"), [(0, "answer"), (0.5, "answer"), (0.51, "probable"), (1, "probable")]
)
def test_as_sure_as_the_request_wants_it(site: Site, wanted: float, degree: str) -> None:
    got = ask(site, min_confidence=wanted).json()
    assert (got["confidence"], got["degree"]) == (0.5, degree)


@pytest.mark.parametrize("probable", [True, False])
def test_without_a_wish_it_is_as_the_pipeline_says(site: Site, probable: bool) -> None:
    site.stand_in.changes["probable"] = probable
    assert ask(site).json()["degree"] == ("probable" if probable else "answer")


@pytest.mark.parametrize("wanted", [0, 1])
def test_none_stays_none(site: Site, wanted: float) -> None:
    got = ask(site, NOTHING, min_confidence=wanted).json()
    assert (got["degree"], got["answer"]["kind"]) == ("none", AnswerKind.NONE)


@pytest.mark.parametrize("question", [GIVEN, NOTHING])
def test_up_to_five_alternatives_with_their_sources(
    site: Site, others: list[str], question: str
) -> None:
    got = ask(site, question).json()["alternatives"]
    assert [one["answer"]["text"] for one in got] == others[:5]
    (quote,) = got[0]["quotes"]
    assert (quote["text"], quote["place"]["text"]) == ("The Marrow is a ferry.", "Marrow.md:3")
    assert got[1]["confidence"] == 0.25


@pytest.mark.parametrize("number", [0, 2, 5])
def test_as_many_as_the_request_wants(site: Site, others: list[str], number: int) -> None:
    got = ask(site, alternatives=number).json()["alternatives"]
    assert [one["answer"]["text"] for one in got] == others[:number]


def test_what_it_was_read_as(site: Site) -> None:
    assert ask(site).json()["read_as"] is None
    site.stand_in.changes["read_as"] = "What is the ferry?"
    assert ask(site).json()["read_as"] == "What is the ferry?"


@pytest.mark.parametrize(
    "wish",
    [
        {"min_confidence": 1.1},
        {"min_confidence": -0.1},
        {"min_confidence": "much"},
        {"alternatives": 6},
        {"alternatives": -1},
        {"alternatives": 1.5},
        {"alternatives": None},
    ],
    ids=str,
)
def test_a_wish_that_cannot_be_met(site: Site, wish: dict[str, Any]) -> None:
    got = ask(site, **wish)
    assert got.status_code == 422
    assert next(iter(wish)) in got.json()["message"]
    assert not site.stand_in.asked


def test_no_number_is_no_confidence(site: Site) -> None:
    headers = {"content-type": "application/json"}
    body = b'{"question": "What?", "min_confidence": NaN}'
    assert site.client.post("/api/v1/ask", content=body, headers=headers).status_code == 422
