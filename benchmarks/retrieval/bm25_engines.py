"""BM25 engines on the same abstracts: build time, size, memory, cold open, queries a second.

Every build and every round of queries runs in a process of its own. Rounds go in turn from
engine to engine, and the best round counts, so that other work on the machine hurts all alike.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.baselines.bm25_engines import ENGINES
from benchmarks.measure import in_turns, memory, run, size_of
from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, question_texts

NAME = "bm25-engines"
ROUNDS = 2
Figures = dict[str, float]
COLUMNS = {
    "build": "build, s",
    "size": "size, MB",
    "memory": "memory to build, MB",
    "query memory": "to query, MB",
    "open": "open + first query, ms",
    "threads1": "queries/s, 1 thread",
    "threads2": "2 threads",
}


def main(arguments: Sequence[str]) -> None:
    """Measure all engines and print a table."""
    parser = command(NAME, __doc__)
    parser.add_argument("--engine", choices=ENGINES, action="append", help="may be given again")
    parser.add_argument("--limit", type=int, default=200, help="how many questions")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)  # for the processes below
    options = parser.parse_args(arguments)
    if options.measure:
        step, name, folder = options.measure
        print(json.dumps(STEPS[step](name, Path(folder), options.limit)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folders = {
            name: Path(scratch) / str(number)
            for number, name in enumerate(options.engine or ENGINES)
        }
        print(f"| engine | {' | '.join(COLUMNS.values())} |")
        print(f"|---|{'---:|' * len(COLUMNS)}", flush=True)
        built = {name: apart("build", name, folders[name], options.limit) for name in folders}
        queried = in_turns(
            ROUNDS,
            {name: partial(apart, "query", name, folders[name], options.limit) for name in folders},
        )
    for name in folders:
        figures = {**built[name], **best(queried[name])}
        print(f"| {name} | " + " | ".join(f"{figures[column]:,.0f}" for column in COLUMNS) + " |")


def best(rounds: Sequence[Figures]) -> Figures:
    """The best of each figure: most queries a second, least of everything else."""
    return {
        figure: (max if figure.startswith("threads") else min)(each[figure] for each in rounds)
        for figure in rounds[0]
    }


def apart(step: str, name: str, folder: Path, limit: int) -> Figures:
    """Do one step in a process of its own."""
    words = (NAME, "--limit", str(limit), "--measure", step, name, str(folder))
    output = run([sys.executable, "-m", "benchmarks", *words]).output
    figures: Figures = json.loads(output.splitlines()[-1])
    print(name, figures, file=sys.stderr)
    return figures


def build(name: str, folder: Path, limit: int) -> Figures:
    """Build an index; what it cost."""
    start = time.perf_counter()
    ENGINES[name].build(folder)
    seconds = time.perf_counter() - start
    return {"build": seconds, "size": size_of(folder) / 1e6, "memory": memory()}


def query(name: str, folder: Path, limit: int) -> Figures:
    """Open an index, ask one question, then all of them on 1 and 2 threads."""
    queries = question_texts(FULL_WIKI, limit)
    start = time.perf_counter()
    search = ENGINES[name].open(folder)
    search(queries[:1], 1)
    figures = {"open": 1000 * (time.perf_counter() - start)}
    for threads in (1, 2):
        search(queries[:20], threads)  # compilers and caches get warm
        start = time.perf_counter()
        search(queries, threads)
        figures[f"threads{threads}"] = len(queries) / (time.perf_counter() - start)
    return {**figures, "query memory": memory()}


STEPS = {"build": build, "query": query}
