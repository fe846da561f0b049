"""A server that is told to end at any moment: every client gets an answer, or is told why not."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from served import Served, served

Rounds = Callable[[], Iterator[random.Random]]
CLIENTS = 24


def one_client(server: Served, number: int) -> str:
    """Ask; what came of it, in a word."""
    body = {"question": f"How high is hill {number}?"}
    path = ("/api/v1/ask", "/api/v1/ask/stream")[number % 2]
    try:
        got = httpx.post(f"{server.address}{path}", json=body, headers=server.known, timeout=60)
    except httpx.ConnectError:
        return "came too late"
    except httpx.ReadError:  # it was not accepted any more
        return "came too late"
    if path.endswith("stream") and got.status_code == 200:
        data = [line[6:] for line in got.text.splitlines() if line.startswith("data: ")]
        last = json.loads(data[-1])
        assert last["event"] in ("answer", "problem")
        return str(last.get("code", "answered"))
    told = got.json()
    if got.status_code == 200:
        assert told["question"] == body["question"]
        return "answered"
    assert got.status_code == 503, got.text
    return str(told["code"])


def test_stopped_at_any_moment(rounds: Rounds, tmp_path: Path) -> None:
    for rng in rounds():
        with served(tmp_path) as server, ThreadPoolExecutor(CLIENTS) as people:
            asked = [people.submit(one_client, server, number) for number in range(CLIENTS)]
            time.sleep(rng.random() * 3)
            server.stop()
            outcomes = {one.result() for one in asked}
            assert outcomes <= {"answered", "stopping", "busy", "came too late"}
            assert "Traceback" not in server.errors()
            assert "ERROR" not in server.errors()
        assert not list(tmp_path.glob("lacuna-uploads-*"))
