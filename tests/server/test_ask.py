"""Questions over the JSON interface."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from stand_in import Site

from lacuna.web.limits import Limits


def ask(site: Site, question: str, **more: Any) -> Any:
    return site.client.post("/api/v1/ask", json={"question": question, **more})


def events(site: Site, question: str, **more: Any) -> list[dict[str, Any]]:
    got = site.client.post("/api/v1/ask/stream", json={"question": question, **more})
    assert got.headers["content-type"].startswith("text/event-stream")
    return [json.loads(one.split("data: ", 1)[1]) for one in got.text.strip().split("\n\n")]


def test_an_answer_with_its_evidence(site: Site) -> None:
    got = ask(site, "What is the Marrow?", title="marrow").json()
    assert got["answer"]["text"] == "The Marrow is a ferry."
    assert got["answer"]["kind"] == "span"
    assert got["context"] == "Marrow"
    assert got["confidence"] == 0.5
    (quote,) = got["quotes"]
    document = site.client.get(
        f"/api/v1/corpora/{got['corpus']}/document", params={"title": quote["document"]}
    ).json()
    assert document["text"][quote["start"] : quote["end"]] == quote["text"]


def test_a_gap_quotes_what_came_nearest(site: Site) -> None:
    got = ask(site, "Nothing asked", title="Marrow").json()
    assert got["answer"]["kind"] == "none"
    (gap,) = got["gaps"]
    assert gap["nearest"]["document"] == "Marrow"
    assert got["nearest_quote"]["text"] == "The Marrow is a ferry."
    assert gap["dangling"] == ["Port Ellery"]


def test_a_score_that_json_cannot_say_is_null(site: Site) -> None:
    (candidate,) = ask(site, "What?").json()["steps"][0]["candidates"]
    assert candidate["score"] is None


def test_steps_come_before_the_answer(site: Site) -> None:
    *before, last = events(site, "What is it?", title="Marrow")
    assert [one["step"]["message"] for one in before if one["event"] == "step"] == [
        "Nothing is missing."
    ]
    assert last["event"] == "answer"
    assert last["answer"]["answer"]["text"] == "The Marrow is a ferry."


@pytest.mark.parametrize("question", ["", "  \n ", "\x00\x07\x1b"])
def test_no_question(site: Site, question: str) -> None:
    got = ask(site, question)
    assert got.status_code == 422
    assert got.json()["code"] == "question-empty"
    assert not site.stand_in.asked


def test_a_question_of_50000_characters(site: Site) -> None:
    got = ask(site, "why " * 12_500)
    assert got.status_code == 422
    assert "50,000 characters" in got.json()["message"]


def test_control_characters_are_left_out(site: Site) -> None:
    got = ask(site, "What\x00\x1b[31m is\r\n it?\x7f", title="Marrow")
    assert got.json()["question"] == "What [31m is it?"


def test_half_a_surrogate_pair(site: Site) -> None:
    headers = {"content-type": "application/json"}
    body = b'{"question": "What is \\ud800 it?"}'
    assert site.client.post("/api/v1/ask", content=body, headers=headers).status_code in (200, 422)
    body = b'{"question": "What?", "title": "\\ud800"}'
    assert site.client.post("/api/v1/ask", content=body, headers=headers).status_code == 404


@pytest.mark.parametrize(
    "question", ["Was ist die Märrow?", "渡し船とは何ですか?", "ما هي العبارة?", "🚢 𝔸?"]
)
def test_other_languages(site: Site, question: str) -> None:
    assert ask(site, question).json()["question"] == question


def test_html_in_a_question_comes_back_as_it_was(site: Site) -> None:
    question = "<script>alert(1)</script> **what**?"
    got = ask(site, question)
    assert got.json()["question"] == question
    assert got.headers["content-type"] == "application/json"


def test_a_title_that_is_not_there(site: Site) -> None:
    got = ask(site, "What?", title="Nowhere")
    assert got.status_code == 404
    assert "Nowhere" in got.json()["message"]


def test_a_corpus_that_is_not_open(site: Site) -> None:
    assert ask(site, "What?", corpus="other").json()["code"] == "corpus-unknown"


def test_a_follow_up_knows_what_was_asked_before(site: Site) -> None:
    first = ask(site, "What is the Marrow?", title="Marrow").json()
    second = ask(site, "And who built it?", after=first["id"]).json()
    ask(site, "When?", after=second["id"])
    history = site.stand_in.asked[-1].history
    assert [turn.question for turn in history] == ["What is the Marrow?", "And who built it?"]
    assert history[0].answer is not None
    assert history[0].answer.text == "The Marrow is a ferry."


def test_a_shared_link_reopens_the_whole_dialog(site: Site) -> None:
    first = ask(site, "What is the Marrow?").json()
    second = ask(site, "And who?", after=first["id"]).json()
    ask(site, "Something else?", after=first["id"])
    assert site.client.get(f"/api/v1/answers/{second['id']}").json()["answers"] == [first, second]


def test_a_forgotten_answer(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(answers=1))
    first = ask(site, "What?").json()["id"]
    ask(site, "And?")
    assert site.client.get(f"/api/v1/answers/{first}").json()["code"] == "answer-gone"
    assert ask(site, "And?", after=first).json()["code"] == "answer-gone"


def test_a_long_dialog_is_cut(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(turns=2))
    last = None
    for _ in range(4):
        last = ask(site, "And?", after=last).json()["id"]
    assert len(site.stand_in.asked[-1].history) == 2


def test_a_bug_of_ours_is_said_plainly(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(site.stand_in, "ask", broken)
    got = ask(site, "What?")
    assert got.status_code == 500
    assert "secret" not in got.text
    assert "default-src 'none'" in got.headers["content-security-policy"]
    assert events(site, "What?")[-1]["code"] == "broken"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"question": 3}', b'{"q": "What?"}'])
def test_a_body_that_is_no_question(site: Site, body: bytes) -> None:
    got = site.client.post(
        "/api/v1/ask", content=body, headers={"content-type": "application/json"}
    )
    assert got.status_code == 422
    assert got.json()["code"] == "bad-request"
