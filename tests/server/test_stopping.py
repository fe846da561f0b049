"""A server that ends: what runs is finished or told so, in the interface's own shape."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from raw_client import connected, posted, problem, rest, status
from served import Served, served

SLOW = """
import sys, time
from lacuna.cli import main
from lacuna.pipeline.pipeline import Pipeline
ask = Pipeline.ask
def slowly(self, query, **more):
    time.sleep(float(query.question.split()[-1].rstrip("?")))
    return ask(self, query, **more)
Pipeline.ask = slowly
main(sys.argv[1:])
"""
"""A question ends in how many seconds it takes."""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Heron.md").write_text("# Heron\n\nThe heron eats fish.\n")
    with served(tmp_path, "--corpus", tmp_path / "notes", program=SLOW) as server:
        yield server


def ask(server: Served, seconds: float) -> httpx.Response:
    body = {"question": f"What does the heron eat in {seconds}?"}
    return httpx.post(f"{server.address}/api/ask", json=body, headers=server.known, timeout=60)


def last_event(server: Served, seconds: float) -> Any:
    body = {"question": f"What does the heron eat in {seconds}?"}
    address = f"{server.address}/api/ask/stream"
    with httpx.stream("POST", address, json=body, headers=server.known, timeout=60) as got:
        data = [line for line in got.iter_lines() if line.startswith("data: ")]
    return json.loads(data[-1].removeprefix("data: "))


def test_what_has_begun_is_finished_and_what_waits_is_told(slow: Served) -> None:
    with ThreadPoolExecutor(8) as people:
        first: Future[Any] = people.submit(last_event, slow, 2)
        time.sleep(0.7)
        waiting = [people.submit(ask, slow, 1) for _ in range(3)]
        streams = [people.submit(last_event, slow, 1) for _ in range(3)]
        time.sleep(0.7)
        slow.process.send_signal(signal.SIGTERM)
        assert first.result()["event"] == "answer"
        for refused in waiting:
            got = refused.result()
            assert (got.status_code, got.json()["code"]) == (503, "stopping")
            assert got.headers["retry-after"]
        for stream in streams:
            assert stream.result()["code"] == "stopping"
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()
    assert "ERROR" not in slow.errors()


def test_what_takes_too_long_is_told_and_given_up(slow: Served) -> None:
    with ThreadPoolExecutor(2) as people:
        asked = people.submit(ask, slow, 60)
        time.sleep(0.7)
        slow.process.send_signal(signal.SIGTERM)
        got = asked.result()
    assert (got.status_code, got.json()["code"]) == (503, "stopping")
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_who_is_still_sending_is_told(slow: Served) -> None:
    more = "".join(f"{name}: {value}\r\n" for name, value in slow.known.items())
    with connected(slow.address) as one:
        one.sendall(posted("/api/ask", b"{", length=100, more=more))
        time.sleep(0.5)
        slow.process.send_signal(signal.SIGTERM)
        answer = rest(one)
    assert (status(answer), problem(answer)["code"]) == (503, "stopping")
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_who_does_not_listen_holds_nobody_up(slow: Served) -> None:
    more = "".join(f"{name}: {value}\r\n" for name, value in slow.known.items())
    with connected(slow.address) as one, connected(slow.address):
        body = b'{"question": "What does it eat in 60?"}'
        one.sendall(posted("/api/ask/stream", body, more=more))
        time.sleep(0.5)
        slow.process.send_signal(signal.SIGTERM)
        slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_killed_servers_leave_nothing_that_the_next_one_keeps(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Heron.md").write_text("# Heron\n\nThe heron eats fish.\n")
    with served(tmp_path, "--corpus", tmp_path / "notes") as server:
        sent = [("files", ("Tern.md", "A tern is a bird."))]
        address = f"{server.address}/api/corpora/upload"
        assert httpx.post(address, files=sent, headers=server.known, timeout=60).is_success
        server.stop(signal.SIGKILL)
    assert list(tmp_path.glob("lacuna-uploads-*/open/*"))
    with served(tmp_path, "--corpus", tmp_path / "notes") as server:
        assert not list(tmp_path.glob("lacuna-uploads-*/open/*"))
        server.stop()
    assert not list(tmp_path.glob("lacuna-uploads-*"))
