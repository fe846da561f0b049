"""Questions that are known to be answered, to begin with and to go on with."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from stand_in import TOKEN, Site

from lacuna.pipeline.query import Query
from lacuna.pipeline.result import OnStep, Result
from lacuna.web.access import Access
from lacuna.web.work_queue import WorkQueue


def suggest(site: Site, **asked: Any) -> Any:
    return site.client.post("/api/v1/suggest", json=asked)


def questions(site: Site, **asked: Any) -> list[str]:
    return [one["question"] for one in suggest(site, **asked).json()["questions"]]


def test_only_what_is_answered_from_where_it_was_made(site: Site) -> None:
    """The stand-in answers everything with the first sentence of one document."""
    first = next(site.stand_in.store.titles())
    got = suggest(site).json()["questions"]
    assert [one["document"] for one in got] == [first]
    assert got[0]["confidence"] == 0.5
    assert len(site.stand_in.tried) > 1
    assert all(query.hops == 0 for query in site.stand_in.tried)


def test_each_as_soon_as_it_was_answered(site: Site) -> None:
    stand_in = site.stand_in
    with site.client.stream("POST", "/api/v1/suggest/stream", json={}) as got:
        assert got.headers["content-type"].startswith("text/event-stream")
        sent = "".join(got.iter_text())
    event, data = sent.strip().split("\n")
    assert event == "event: suggestion"
    assert [json.loads(data.removeprefix("data: "))] == suggest(site).json()["questions"]
    asked = len(stand_in.tried)
    again = site.client.post("/api/v1/suggest/stream", json={})
    assert (again.text, len(stand_in.tried)) == (sent, asked), "it was remembered"
    refused = site.client.post("/api/v1/suggest/stream", json={"corpus": "nowhere"})
    assert (refused.status_code, refused.json()["code"]) == (404, "corpus-unknown")


def test_less_sure_than_is_wanted(site: Site) -> None:
    assert questions(site, min_confidence=0.5)
    assert questions(site, min_confidence=0.6) == []


def test_they_are_remembered_until_the_corpus_changes(site: Site) -> None:
    first = questions(site)
    asked = len(site.stand_in.tried)
    assert questions(site) == first
    assert len(site.stand_in.tried) == asked
    with site.stand_in.store.writer() as writer:
        writer.remove("Evil")
    assert questions(site) == first
    assert len(site.stand_in.tried) > asked


def test_after_an_answer_in_its_dialog(site: Site) -> None:
    asked = {"question": "What is the Marrow?", "title": "Marrow"}
    first = site.client.post("/api/v1/ask", json=asked).json()
    site.stand_in.tried.clear()
    got = questions(site, after=first["id"])
    assert "What is the Marrow?" not in got
    assert {query.history[0].question for query in site.stand_in.tried} == {"What is the Marrow?"}


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"corpus": "nowhere"}, 404, "corpus-unknown"),
        ({"after": "nothing"}, 404, "answer-gone"),
        ({"min_confidence": 2}, 422, "bad-request"),
        ({"windows": 0}, 422, "bad-request"),
        ({"question": "What?"}, 422, "bad-request"),
    ],
)
def test_refused(site: Site, asked: dict[str, Any], status: int, code: str) -> None:
    got = suggest(site, **asked)
    assert (got.status_code, got.json()["code"]) == (status, code)


def test_none_of_another_persons_dialog(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access([TOKEN, "another-token-for-the-tests"]))
    ada, bea = (
        {"Authorization": f"Bearer {one}"} for one in (TOKEN, "another-token-for-the-tests")
    )
    mine = site.client.post("/api/v1/ask", json={"question": "What?"}, headers=ada).json()["id"]
    got = site.client.post("/api/v1/suggest", json={"after": mine}, headers=bea)
    assert got.status_code == 404


def test_a_question_that_somebody_asks_goes_first(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though a question that nobody asked was begun, and more were to come."""
    stand_in = site.stand_in
    order: list[str] = []
    answer = stand_in._answer

    def noted(query: Query, on_step: OnStep | None) -> Result:
        order.append(query.question)
        return answer(query, on_step)

    monkeypatch.setattr(stand_in, "_answer", noted)
    stand_in.may_try.clear()
    with ThreadPoolExecutor(2) as people:
        found = people.submit(questions, site)
        wait_until(lambda: len(stand_in.tried) == 1)
        answered = people.submit(
            lambda: site.client.post("/api/v1/ask", json={"question": "Mine?"}).json()["question"]
        )
        wait_until(lambda: site.app.state.services.questions._queue.is_wanted)
        stand_in.may_try.set()
        assert answered.result(20) == "Mine?"
        assert len(found.result(20)) == 1
    assert order.index("Mine?") == 1
    assert order[0] == order[2], "what gave way is asked again"


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_is_not_urgent_waits_for_all_else() -> None:
    queue = WorkQueue(workers=1, room=2)
    go, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go.wait(20)

    queue.join(work)
    assert begun.wait(20)
    done: list[str] = []
    later = queue.join_unhurried(lambda: done.append("later"))
    first = queue.join(lambda: done.append("first"))
    assert queue.ahead(first) == 1
    go.set()
    later.result(20)
    assert done == ["first", "later"]
    queue.close()
