"""A server that ends: what runs is finished or told so, in the interface's own shape."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from raw_client import connected, posted, problem, rest, status, wait_until
from served import Served, served

SLOW = """
import os, sys, time
from pathlib import Path
from lacuna.cli import main
from lacuna.pipeline.pipeline import Pipeline
ask, folder = Pipeline.ask, Path(os.environ["TMPDIR"])
def slowly(self, query, **more):
    (folder / "begun").touch()
    while not (folder / "gate").exists():
        time.sleep(0.02)
    return ask(self, query, **more)
Pipeline.ask = slowly
main(sys.argv[1:])
"""
"""Nothing is answered while the gate is closed."""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Served]:
    with slow_server(tmp_path) as server:
        yield server


@contextmanager
def slow_server(tmp_path: Path, **settings: str) -> Iterator[Served]:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Heron.md").write_text("# Heron\n\nThe heron eats fish.\n")
    with served(
        tmp_path, "--corpus", tmp_path / "notes", program=SLOW, settings=settings
    ) as server:
        open_gate(tmp_path)
        assert ask(server).is_success  # the first one is slower
        (tmp_path / "gate").unlink()
        (tmp_path / "begun").unlink()
        yield server


def open_gate(folder: Path) -> None:
    (folder / "gate").touch()


def ask(server: Served) -> httpx.Response:
    body = {"question": "What does the heron eat?"}
    return httpx.post(f"{server.address}/api/v1/ask", json=body, headers=server.known, timeout=60)


def events(server: Served) -> Iterator[Any]:
    body = {"question": "What does the heron eat?"}
    address = f"{server.address}/api/v1/ask/stream"
    with httpx.stream("POST", address, json=body, headers=server.known, timeout=60) as got:
        for line in got.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def last_event(server: Served) -> Any:
    return list(events(server))[-1]


def wait_for_questions(server: Served, folder: Path, count: int) -> None:
    """Wait until so many have come in, of which the first is being answered."""
    wait_until((folder / "begun").exists)
    wait_until(lambda: next(events(server)).get("ahead") == count)


def test_what_has_begun_is_finished_and_what_waits_is_told(slow: Served, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as people:
        first: Future[Any] = people.submit(last_event, slow)
        wait_for_questions(slow, tmp_path, 1)
        waiting = [people.submit(ask, slow) for _ in range(3)]
        streams = [people.submit(last_event, slow) for _ in range(3)]
        wait_for_questions(slow, tmp_path, 7)
        slow.process.send_signal(signal.SIGTERM)
        for refused in waiting:
            got = refused.result()
            assert (got.status_code, got.json()["code"]) == (503, "stopping")
            assert got.headers["retry-after"]
        for stream in streams:
            assert stream.result()["code"] == "stopping"
        open_gate(tmp_path)
        assert first.result()["event"] == "answer"
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()
    assert "ERROR" not in slow.errors()


def test_while_it_drains_it_is_not_ready_and_sends_questions_away(tmp_path: Path) -> None:
    with slow_server(tmp_path, LACUNA_DRAIN="300") as slow, ThreadPoolExecutor(1) as people:
        first = people.submit(ask, slow)
        wait_until((tmp_path / "begun").exists)
        assert httpx.get(f"{slow.address}/readyz").status_code == 200
        slow.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx.get(f"{slow.address}/readyz").status_code == 503)
        assert httpx.get(f"{slow.address}/healthz").status_code == 200
        sent_away = ask(slow)
        assert (sent_away.status_code, sent_away.json()["code"]) == (503, "stopping")
        assert sent_away.headers["retry-after"]
        open_gate(tmp_path)
        assert first.result().status_code == 200
        slow.process.wait(60)
        assert "Traceback" not in slow.errors()


def test_what_takes_too_long_is_told_and_given_up(slow: Served, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as people:
        asked = people.submit(ask, slow)
        wait_for_questions(slow, tmp_path, 1)
        slow.process.send_signal(signal.SIGTERM)
        got = asked.result()
    assert (got.status_code, got.json()["code"]) == (503, "stopping")
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_who_is_still_sending_is_told(slow: Served) -> None:
    more = "".join(f"{name}: {value}\r\n" for name, value in slow.known.items())
    with connected(slow.address) as one:
        one.sendall(posted("/api/v1/ask", b"{", length=100, more=more))
        time.sleep(0.5)
        slow.process.send_signal(signal.SIGTERM)
        answer = rest(one)
    assert (status(answer), problem(answer)["code"]) == (503, "stopping")
    slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_who_does_not_listen_holds_nobody_up(slow: Served, tmp_path: Path) -> None:
    more = "".join(f"{name}: {value}\r\n" for name, value in slow.known.items())
    with connected(slow.address) as one, connected(slow.address):
        one.sendall(posted("/api/v1/ask/stream", b'{"question": "What does it eat?"}', more=more))
        wait_for_questions(slow, tmp_path, 1)
        slow.process.send_signal(signal.SIGTERM)
        slow.process.wait(20)
    assert "Traceback" not in slow.errors()


def test_killed_servers_leave_nothing_that_the_next_one_keeps(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Heron.md").write_text("# Heron\n\nThe heron eats fish.\n")
    with served(tmp_path, "--corpus", tmp_path / "notes") as server:
        sent = [("files", ("Tern.md", "A tern is a bird."))]
        address = f"{server.address}/api/v1/corpora/upload"
        assert httpx.post(address, files=sent, headers=server.known, timeout=60).is_success
        server.stop(signal.SIGKILL)
    assert list(tmp_path.glob("lacuna-uploads-*/open/*"))
    with served(tmp_path, "--corpus", tmp_path / "notes") as server:
        assert not list(tmp_path.glob("lacuna-uploads-*/open/*"))
        server.stop()
    assert not list(tmp_path.glob("lacuna-uploads-*"))
