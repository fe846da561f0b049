"""Many people at once, and people who go away: over real connections."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from raw_client import connected, posted, wait_until
from stand_in import Site, listening

from lacuna.web.limits import Limits

CHOICES = {"question": "Gone?", "fact": "half of it", "choices": ["this", "that"]}
GONE = {"question": CHOICES["question"]}


def ask(address: str, question: str, **more: Any) -> httpx.Response:
    return httpx.post(f"{address}/api/v1/ask", json={"question": question}, timeout=30, **more)


def test_fifty_at_once(make_site: Callable[..., Site], small_limits: Limits) -> None:
    site = make_site(limits=small_limits)
    site.stand_in.seconds = 0.01
    refused: list[int] = []

    def insist(number: int) -> str:
        while True:
            got = ask(address, f"Question {number}?")
            if got.status_code == 200:
                return str(got.json()["question"])
            assert got.status_code == 503
            assert int(got.headers["retry-after"]) >= 1
            refused.append(number)
            time.sleep(0.05)

    with listening(site.app) as address, ThreadPoolExecutor(50) as people:
        answered = list(people.map(insist, range(50)))
    assert answered == [f"Question {number}?" for number in range(50)]
    assert refused
    assert len(site.stand_in.asked) == 50  # what was refused cost nothing


def test_who_goes_away_while_waiting_is_not_served(make_site: Callable[..., Site]) -> None:
    site = make_site()
    site.stand_in.may_go_on.clear()
    with listening(site.app) as address, ThreadPoolExecutor(2) as people:
        first = people.submit(ask, address, "First?")
        wait_until(lambda: len(site.stand_in.asked) == 1)
        service = site.app.state.services.questions
        for path in ("/api/v1/ask", "/api/v1/ask/stream", "/api/v1/choose"):
            leaving = people.submit(_send_and_leave, f"{address}{path}")
            wait_until(lambda: _waiting(service) == 1)
            leaving.result()
            wait_until(lambda: _waiting(service) == 0)
        last = people.submit(ask, address, "Last?")
        wait_until(lambda: _waiting(service) == 1)
        site.stand_in.may_go_on.set()
        assert first.result().json()["question"] == "First?"
        assert last.result().json()["question"] == "Last?"
    assert [one.question for one in site.stand_in.asked] == ["First?", "Last?"]
    assert not site.gaps.asked


def test_who_goes_away_in_the_middle_disturbs_nobody(make_site: Callable[..., Site]) -> None:
    site = make_site()
    site.stand_in.may_go_on.clear()
    with listening(site.app) as address, ThreadPoolExecutor(1) as people:
        with connected(address) as leaving:
            leaving.sendall(posted("/api/v1/ask/stream", json.dumps(GONE).encode()))
            wait_until(lambda: len(site.stand_in.asked) == 1)
        other = people.submit(ask, address, "Other?")
        site.stand_in.may_go_on.set()
        assert other.result().json()["question"] == "Other?"


def test_those_who_wait_see_how_many_are_ahead(make_site: Callable[..., Site]) -> None:
    site = make_site()
    site.stand_in.may_go_on.clear()
    with listening(site.app) as address, ThreadPoolExecutor(1) as people:
        first = people.submit(ask, address, "First?")
        wait_until(lambda: len(site.stand_in.asked) == 1)
        with httpx.stream(
            "POST", f"{address}/api/v1/ask/stream", json={"question": "Second?"}, timeout=30
        ) as second:
            lines = second.iter_lines()
            assert next(lines) == "event: waiting"
            assert '"ahead":1' in next(lines)
            site.stand_in.may_go_on.set()
            assert any("Second?" in line for line in lines)
        assert first.result().status_code == 200


def test_an_answer_that_takes_too_long(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(answer_seconds=0.3))
    site.stand_in.may_go_on.clear()
    with listening(site.app) as address:
        got = ask(address, "Long?")
        assert (got.status_code, got.json()["code"]) == (504, "too-slow")
        stream = httpx.post(
            f"{address}/api/v1/ask/stream", json={"question": "Longer?"}, timeout=30
        )
        assert '"code":"too-slow"' in stream.text.splitlines()[-2]
        site.stand_in.may_go_on.set()
        assert ask(address, "Short?").status_code == 200
    assert [one.question for one in site.stand_in.asked] == ["Long?", "Short?"]


def test_a_request_that_takes_too_long(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lacuna.web.security.LAST_WORDS", 0.0)
    site = make_site(limits=Limits(answer_seconds=0.3))
    go_on = threading.Event()
    monkeypatch.setattr(site.app.state.services.corpora, "public", lambda: go_on.wait(20) and [])
    with listening(site.app) as address:
        got = httpx.get(f"{address}/api/v1/server", timeout=30)
        go_on.set()
    assert (got.status_code, got.json()["code"]) == (504, "too-slow")


def _waiting(service: Any) -> int:
    return len(service._queue._waiting)


def _send_and_leave(address: str) -> None:
    """Ask, wait a moment, and close the connection without an answer."""
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(address, json=CHOICES if address.endswith("/choose") else GONE, timeout=0.5)
