"""Questions with choices over the JSON interface."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from gap_stand_in import GapStandIn
from stand_in import Site, listening

from lacuna.errors import LacunaError
from lacuna.pipeline.gapqa import FillsGaps
from lacuna.web.limits import Limits

ASKED = {
    "question": "Which of these would rust?",
    "fact": "iron rusts",
    "choices": ["a cup of tea", "a nail", "a 𝔸 sock"],
}


def choose(site: Site, **changed: Any) -> Any:
    return site.client.post("/api/v1/choose", json={**ASKED, **changed})


def test_the_choice_and_its_gap(site: Site) -> None:
    got = choose(site).json()
    asked = site.gaps.asked[0]
    assert got == json.loads(json.dumps(site.gaps.ask(asked).as_json()))
    assert (got["answer"]["label"], got["answer"]["texts"]) == ("B", ["a nail"])
    assert got["gaps"][0]["filled"] == "a nail is made of iron"
    assert got["choices"][0]["gap"]["filled"] == ""
    assert [choice.label for choice in asked.choices] == ["A", "B", "C"]


def test_the_key_span_is_counted_in_code_points(site: Site) -> None:
    got = choose(site, fact="the 𝔸𝔹 metal\x00 rusts").json()
    start, end = got["key_span"]["start"], got["key_span"]["end"]
    assert got["fact"] == "the 𝔸𝔹 metal rusts"
    assert got["fact"][start:end] == got["key_span"]["text"]


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"question": " "}, "question-empty", "The question is empty"),
        ({"fact": "\x00\n"}, "fact-empty", "The core fact is empty"),
        ({"choices": []}, "too-few-choices", "at least two"),
        ({"choices": ["one"]}, "too-few-choices", "fewer than two choices"),
        ({"choices": ["one", "\x07"]}, "choice-empty", "choice B is empty"),
        ({"choices": ["x"] * 27}, "too-many-choices", "27 choices"),
        ({"question": "x" * 2001}, "question-too-long", "2,001 characters"),
        ({"fact": "x" * 2001}, "fact-too-long", "2,001 characters"),
        ({"choices": ["one", "x" * 2001]}, "choice-too-long", "choice B has 2,001"),
    ],
)
def test_what_cannot_be_asked(site: Site, changed: dict[str, Any], code: str, words: str) -> None:
    got = choose(site, **changed)
    assert got.status_code == 422
    assert got.json()["code"] == code
    assert words in got.json()["message"]
    assert not site.gaps.asked


@pytest.mark.parametrize("count", [2, 26])
def test_the_fewest_and_the_most_choices(site: Site, count: int) -> None:
    got = choose(site, choices=[f"choice {number}" for number in range(count)]).json()
    assert len(got["choices"]) == count


@pytest.mark.parametrize("body", [b"{", b'{"question": "What?"}', b'{"choices": "a|b"}'])
def test_a_body_that_is_no_question_with_choices(site: Site, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    got = site.client.post("/api/v1/choose", content=body, headers=headers)
    assert got.status_code == 422
    assert got.json()["code"] == "bad-request"


def test_a_far_too_large_body(site: Site) -> None:
    assert choose(site, fact="x" * 100_000).status_code == 413


def test_what_the_model_refuses_is_said(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise LacunaError("The fact says nothing. Give another.")

    monkeypatch.setattr(site.gaps, "ask", refuse)
    got = choose(site)
    assert got.status_code == 422
    assert got.json()["message"] == "The fact says nothing. Give another."


def test_it_is_opened_once_and_only_when_it_is_asked(make_site: Callable[..., Site]) -> None:
    opened: list[FillsGaps] = []

    def open_gaps() -> FillsGaps:
        opened.append(GapStandIn())
        return opened[-1]

    site = make_site(open_gaps=open_gaps, workers=2)
    site.client.post("/api/v1/ask", json={"question": "What?"})
    assert not opened
    with ThreadPoolExecutor(4) as people:
        codes = list(people.map(lambda _: choose(site).status_code, range(8)))
    assert codes == [200] * 8
    assert len(opened) == 1


def test_what_cannot_be_opened_is_tried_again(make_site: Callable[..., Site]) -> None:
    tries: list[FillsGaps] = []

    def open_gaps() -> FillsGaps:
        tries.append(GapStandIn())
        if len(tries) == 1:
            raise LacunaError("There is no model. Get one.")
        return tries[-1]

    site = make_site(open_gaps=open_gaps)
    got = choose(site)
    assert got.status_code == 503
    assert got.json() == {"code": "no-choices-here", "message": "There is no model. Get one."}
    assert choose(site).status_code == 200


def test_it_stands_in_the_line_of_all_questions(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(waiting=0))
    site.stand_in.may_go_on.clear()
    begun = threading.Event()
    with listening(site.app) as address, ThreadPoolExecutor(1) as people:

        def ask() -> int:
            begun.set()
            return httpx.post(
                f"{address}/api/v1/ask", json={"question": "First?"}, timeout=30
            ).status_code

        first = people.submit(ask)
        begun.wait(20)
        while not site.stand_in.asked:
            assert not first.done()
        refused = httpx.post(f"{address}/api/v1/choose", json=ASKED, timeout=30)
        assert refused.status_code == 503
        assert refused.json()["code"] == "busy"
        assert int(refused.headers["retry-after"]) >= 1
        site.stand_in.may_go_on.set()
        assert first.result() == 200
    assert not site.gaps.asked


def test_the_example_can_be_asked(site: Site) -> None:
    told = site.client.get("/api/v1/server").json()
    assert choose(site, **told["example_with_choices"]).status_code == 200
    assert len(told["example_with_choices"]["choices"]) <= told["most_choices"]
