"""Many people at once against a running server: how long they wait, and that none goes unanswered.

    lacuna serve --port 8420 &
    python benchmarks/load.py http://127.0.0.1:8420 --clients 50

Every client asks a question of the demo's gold set at the same moment, and asks again after
Retry-After when it is refused, until it is answered. The server must serve the demo corpus.
"""

from __future__ import annotations

import argparse
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

from lacuna.assets import demo
from lacuna.datasets import get_dataset

LONGEST = 600
"""Seconds after which an answer counts as lost."""


@dataclass(frozen=True)
class Waited:
    """What one client saw: the seconds of its answer, and in all with refusals; None if lost."""

    answer: float | None
    in_all: float
    refused: int


def main() -> None:
    """Ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--clients", type=int, default=50)
    given = parser.parse_args()
    address = given.address.rstrip("/")
    asked = questions(given.clients)
    post(f"{address}/api/ask", asked[0])  # the first is slower, and an error here is told at once
    begun = time.perf_counter()
    alone = [wait_for(address, one) for one in asked[:10]]
    print(f"one after another: {told(alone, time.perf_counter() - begun)}")
    begun = time.perf_counter()
    together = at_once(address, asked)
    print(f"{given.clients} at once: {told(together, time.perf_counter() - begun)}")


def questions(count: int) -> list[dict[str, str]]:
    """Questions of the gold set, each of its passage's document."""
    with get_dataset("iirc").open(demo.QUESTIONS) as reader:
        found = [
            {"question": one.text, "title": one.context.title}
            for one in reader.questions()
            if one.context
        ]
    return [found[number % len(found)] for number in range(count)]


def at_once(address: str, asked: Sequence[dict[str, str]]) -> list[Waited]:
    """What every client saw when all began at the same moment."""
    together = Barrier(len(asked))

    def client(question: dict[str, str]) -> Waited:
        together.wait()
        return wait_for(address, question)

    with ThreadPoolExecutor(len(asked)) as clients:
        return list(clients.map(client, asked))


def wait_for(address: str, question: dict[str, str]) -> Waited:
    """Ask until there is an answer."""
    begun = time.perf_counter()
    refused = 0
    while True:
        sent = time.perf_counter()
        try:
            got = post(f"{address}/api/ask", question)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return Waited(None, time.perf_counter() - begun, refused)
            refused += 1
            time.sleep(float(error.headers["Retry-After"]))
            continue
        except OSError:
            return Waited(None, time.perf_counter() - begun, refused)
        now = time.perf_counter()
        is_ours = got["question"] == question["question"]
        return Waited(now - sent if is_ours else None, now - begun, refused)


def post(address: str, value: object) -> Any:
    """The JSON that comes back."""
    body = json.dumps(value).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=LONGEST) as response:
        return json.load(response)


def told(waited: Sequence[Waited], seconds: float) -> str:
    """The figures in one line."""
    answered = [one.in_all for one in waited if one.answer is not None]
    percentiles = quantiles(answered, n=20, method="inclusive")
    return (
        f"{len(answered)} answered, {len(waited) - len(answered)} lost, "
        f"{sum(one.refused for one in waited)} refusals (503) to "
        f"{sum(one.refused > 0 for one in waited)} clients; seconds until the answer: "
        f"p50 {median(answered):.2f}, p95 {percentiles[-1]:.2f}, longest {max(answered):.2f}; "
        f"{len(answered) / seconds:.2f} answers a second"
    )


if __name__ == "__main__":
    main()
