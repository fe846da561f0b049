"""Clients that ask again and again, and look whether the answer is theirs."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from benchmarks.data import read_questions
from benchmarks.load.own_server import OwnServer
from lacuna import demo

LONGEST = 120
"""Seconds after which an answer counts as lost."""


@dataclass
class Seen:
    """What one client, or all of them, saw."""

    seconds: list[float] = field(default_factory=list)
    """From sending a question to its answer."""
    refused: int = 0
    lost: int = 0
    mixed_up: int = 0

    def line(self, over: float) -> str:
        """The cells of a table."""
        rare = quantiles(self.seconds, n=20, method="inclusive")[-1] if self.seconds[1:] else 0.0
        longest = max(self.seconds, default=0.0)
        return (
            f"{len(self.seconds):,} | {self.refused:,} | {self.lost} | {self.mixed_up} | "
            f"{median(self.seconds or [0.0]):.2f} s | {rare:.2f} s | {longest:.2f} s | "
            f"{len(self.seconds) / over:.2f}"
        )


HEAD = (
    "clients | answered | refused (503) | lost | mixed up | p50 | p95 | longest | answers a second"
)


def crowd(server: OwnServer, clients: int, seconds: float) -> Seen:
    """So many clients for so long; each asks its next question when it has its answer."""
    end = time.monotonic() + seconds
    bodies = questions()
    with ThreadPoolExecutor(clients) as people:
        seen = people.map(lambda number: _client(server, number, bodies, end), range(clients))
        every = Seen()
        for one in seen:
            every.seconds += one.seconds
            every.refused += one.refused
            every.lost += one.lost
            every.mixed_up += one.mixed_up
    return every


def questions() -> list[dict[str, str]]:
    """The demo's gold set, each question about the document of its context."""
    return [
        {"question": question.text, "title": question.context.title}
        for question in read_questions("iirc", demo.QUESTIONS)
        if question.context
    ]


def ask(server: OwnServer, question: object) -> tuple[int, Any, float]:
    """Ask once: the status, the JSON, and after how many seconds to try again."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=LONGEST)
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {server.token}",
    }
    try:
        connection.request("POST", "/api/v1/ask", json.dumps(question), headers)
        response = connection.getresponse()
        again = float(response.headers.get("Retry-After", 0))
        return response.status, json.load(response), again
    finally:
        connection.close()


def _client(server: OwnServer, number: int, bodies: Sequence[dict[str, str]], end: float) -> Seen:
    seen = Seen()
    while time.monotonic() < end:
        # A word of its own, so that an answer to another client cannot pass for this one.
        body = dict(bodies[number % len(bodies)])
        body["question"] = f"{body['question'].rstrip('?')} ({number})?"
        number += 7
        sent = time.monotonic()
        try:
            status, answer, again = ask(server, body)
        except (OSError, http.client.HTTPException, ValueError):
            seen.lost += 1
            continue
        if status == 503:
            seen.refused += 1
            time.sleep(min(again, max(0.0, end - time.monotonic())))
        elif status != 200:
            seen.lost += 1
        elif answer["question"] != body["question"]:
            seen.mixed_up += 1
        else:
            seen.seconds.append(time.monotonic() - sent)
    return seen
