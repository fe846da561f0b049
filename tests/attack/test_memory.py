"""Memory over many questions: after a while it does not grow any more."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from served import served

from lacuna.serve.corpora import DEMO_EXAMPLES

Rounds = Callable[[], Iterator[random.Random]]
WARM = 8
"""Questions after which all has been loaded that is needed."""
MOST = 3_000
GROWTH = 80
"""MB that may come on top: for answers that are remembered, and what the allocator keeps."""
KNOWS = """
import sys
from dataclasses import replace
from lacuna.cli import main
from lacuna.pipeline.dialog import DialogPipeline
ask, known = DialogPipeline.ask, {}
def knowing(self, query, **more):
    if query.title not in known:
        known[query.title] = ask(self, query, **more)
    return replace(known[query.title], question=query.question)
DialogPipeline.ask = knowing
main(sys.argv[1:])
"""
"""A server that reads once for each title, so that thousands can ask what is around the reading."""


def megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
    return int(kilobytes) / 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
@pytest.mark.parametrize("program", [None, KNOWS], ids=["with reading", "without reading"])
def test_memory_over_many_questions(rounds: Rounds, tmp_path: Path, program: str | None) -> None:
    with (
        served(tmp_path, program=program) as server,
        httpx.Client(headers=server.known, timeout=120) as client,
    ):

        def ask(rng: random.Random, after: str | None) -> str | None:
            example = rng.choice(DEMO_EXAMPLES).model_dump()
            if rng.random() < 0.3:  # each text is new to whatever is cached
                example["question"] = f"{rng.choice(['Who', 'When', 'Where'])} {rng.random()}?"
            path = rng.choice(["/api/v1/ask", "/api/v1/ask", "/api/v1/ask/stream"])
            got = client.post(f"{server.address}{path}", json={**example, "after": after})
            assert got.status_code == 200, got.text
            found = re.search(r'"id":"([^"]+)"', got.text)
            return found[1] if found and rng.random() < 0.5 else None

        first = random.Random(1)
        after = None
        for _ in range(WARM):
            after = ask(first, after)
        before = megabytes(server.process.pid)
        asked = 0
        for rng in rounds():
            for _ in range(5):
                after = ask(rng, after)
                asked += 1
            grown = megabytes(server.process.pid) - before
            assert grown < GROWTH, f"{grown:.0f} MB more after {asked} questions"
            if asked >= MOST:
                break
        print(f"{asked} questions: {grown:+.0f} MB on {before:.0f} MB")
