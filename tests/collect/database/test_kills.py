"""A process is killed at any moment: whatever was acknowledged is there, and once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from set_clock import MakeWork
from stand_in_task import WRITE

from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.work.assignments import AssignmentState

HERE = Path(__file__).parent
ROUNDS = 6
LEAST = 8
"""Lines that each process writes before it is killed, at the least."""


def killed(url: str, person: int, rng: random.Random) -> list[str]:
    """Let a process work for a while, kill it, and give what it said that was done."""
    source = HERE.parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": f"{source}:{HERE.parent / 'shared'}"}
    process = subprocess.Popen(
        [sys.executable, str(HERE / "writes_in_a_loop.py"), url, str(person)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    lines: list[str] = []
    enough = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.endswith("\n"):
                lines.append(line.strip())
            if len(lines) >= LEAST:
                enough.set()
        enough.set()

    listener = threading.Thread(target=listen)
    listener.start()
    enough.wait(120)
    time.sleep(rng.random() / 10)
    process.send_signal(signal.SIGKILL)
    process.wait()
    listener.join()
    assert len(lines) >= LEAST
    return lines


def test_nothing_acknowledged_is_lost(
    url: str, database: CollectDatabase, make_work: MakeWork, people: list[int]
) -> None:
    rng = random.Random(0)
    told: list[str] = []
    # Two at a time, in turns: one is killed while the other writes.
    for _ in range(ROUNDS // 2):
        with ThreadPoolExecutor(2) as pool:
            for lines in pool.map(lambda person: killed(url, person, rng), people[:2]):
                told += lines
    work = make_work(items=0)
    kept = Counter(done.work["word"] for done in work.finished.of(WRITE))
    assert set(kept.values()) == {1}
    acknowledged = {line.split()[1] for line in told if line.startswith("submitted")}
    assert acknowledged <= set(kept)
    assert len(work.ledger.rows()) == len(kept), "each was paid once"
    drafts = {int(line.split()[1]) for line in told if line.startswith("saved")}
    for person in people[:2]:
        for own in work.history(person):
            if own.assignment in drafts and own.state is AssignmentState.OPEN:
                assert work.open(person, own.assignment).draft is not None
