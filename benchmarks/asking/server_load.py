"""Many people at once against a running server: how long they wait, and that none goes unanswered.

Every client asks a question of the demo's gold set at the same moment, and asks again after
Retry-After when it is refused, until it is answered. The server must serve the demo corpus:

    lacuna serve --port 8420 --no-token &
    python -m benchmarks server-load http://127.0.0.1:8420 --clients 50
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median, quantiles
from threading import Barrier
from typing import Any

from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna import demo

LONGEST = 600
"""Seconds after which an answer counts as lost."""


@dataclass(frozen=True)
class Wait:
    """What one client saw: the seconds of its answer, and in all with refusals; None if lost."""

    answer: float | None
    in_all: float
    refused: int


def main(arguments: Sequence[str]) -> None:
    """Ask, and print the figures."""
    parser = command("server-load", __doc__)
    parser.add_argument("address")
    parser.add_argument("--clients", type=int, default=50)
    options = parser.parse_args(arguments)
    address = options.address.rstrip("/")
    bodies = questions(options.clients)
    post(f"{address}/api/v1/ask", bodies[0])  # the first is slower; an error shows here at once
    start = time.perf_counter()
    alone = [wait_for(address, body) for body in bodies[:10]]
    print(f"one after another: {summary(alone, time.perf_counter() - start)}")
    start = time.perf_counter()
    together = at_once(address, bodies)
    print(f"{options.clients} at once: {summary(together, time.perf_counter() - start)}")


def questions(count: int) -> list[dict[str, str]]:
    """Questions of the gold set, each about the document of its context."""
    bodies = [
        {"question": question.text, "title": question.context.title}
        for question in read_questions("iirc", demo.QUESTIONS)
        if question.context
    ]
    return [bodies[number % len(bodies)] for number in range(count)]


def at_once(address: str, bodies: Sequence[dict[str, str]]) -> list[Wait]:
    """What every client saw when all began at the same moment."""
    together = Barrier(len(bodies))

    def client(question: dict[str, str]) -> Wait:
        together.wait()
        return wait_for(address, question)

    with ThreadPoolExecutor(len(bodies)) as clients:
        return list(clients.map(client, bodies))


def wait_for(address: str, question: dict[str, str]) -> Wait:
    """Ask until there is an answer."""
    start = time.perf_counter()
    refused = 0
    while True:
        sent = time.perf_counter()
        try:
            result = post(f"{address}/api/v1/ask", question)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return Wait(None, time.perf_counter() - start, refused)
            refused += 1
            time.sleep(float(error.headers["Retry-After"]))
            continue
        except OSError:
            return Wait(None, time.perf_counter() - start, refused)
        now = time.perf_counter()
        is_ours = result["question"] == question["question"]
        return Wait(now - sent if is_ours else None, now - start, refused)


def post(address: str, value: object) -> Any:
    """The JSON that comes back."""
    body = json.dumps(value).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=LONGEST) as response:
        return json.load(response)


def summary(waits: Sequence[Wait], seconds: float) -> str:
    """The figures in one line."""
    answered = [wait.in_all for wait in waits if wait.answer is not None]
    percentiles = quantiles(answered, n=20, method="inclusive")
    return (
        f"{len(answered)} answered, {len(waits) - len(answered)} lost, "
        f"{sum(wait.refused for wait in waits)} refusals (503) to "
        f"{sum(wait.refused > 0 for wait in waits)} clients; seconds until the answer: "
        f"p50 {median(answered):.2f}, p95 {percentiles[-1]:.2f}, longest {max(answered):.2f}; "
        f"{len(answered) / seconds:.2f} answers a second"
    )
