"""One Ray node beside two: a corpus is built, and questions are answered.

Nodes are processes of this machine that keep to one core each, and take turns. The command that
gives out the work has no core in the cluster; its processor time is told beside, because it is what
many nodes wait for in the end. "Whole" is the time from the order to the last result, in which
workers start and load what they need. "Steady" begins when every node has done its first piece, and
counts what comes after it.

    python -m benchmarks cluster --write
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.data import data_file
from benchmarks.measure import in_turns
from benchmarks.registry import command
from benchmarks.result_section import replace_section
from benchmarks.scale.first_questions import first_questions
from benchmarks.scale.local_nodes import local_nodes
from lacuna.corpus.store import lance_store
from lacuna.evaluation.assignment import Assignment
from lacuna.evaluation.registry import NamedSystem
from lacuna_scale.cluster.building import build_corpus, new_dumps
from lacuna_scale.cluster.connection import Cluster, connected
from lacuna_scale.cluster.jobs import AnsweringOnCluster

ABSTRACTS = Path("hotpotqa", "abstracts_pool.jsonl.gz")
QUESTIONS = Path("squad", "dev-v2.0.json.gz")
PAGE = Path(__file__).parents[1] / "results" / "scale.md"
HEADING = "One Ray node beside two"
HEAD = (
    "| work | of | whole: one node | two nodes | times | steady: one node | two nodes | times "
    "| this process, of a core |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
)


class Took(NamedTuple):
    """Seconds and how much was done, in all and after the first pieces; seconds of our own."""

    whole: float
    done: int
    steady: float
    steady_done: int
    own: float


class Watch:
    """Told after every piece how much is done; ``first`` pieces belong to the start."""

    def __init__(self, first: int) -> None:
        self._first, self._done = first, 0
        self._start = self._steady = time.perf_counter()
        self._before, self._own = 0, _own()

    def note(self, done: int) -> None:
        """So much is done by now."""
        self._done = done
        self._first -= 1
        if not self._first:
            self._steady, self._before = time.perf_counter(), done

    def took(self) -> Took:
        """All is done."""
        now = time.perf_counter()
        after = self._done - self._before
        return Took(now - self._start, self._done, now - self._steady, after, _own() - self._own)


def built(cluster: Cluster, nodes: int, abstracts: Path, folder: Path) -> Took:
    """Build a corpus."""
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["LACUNA_CACHE"] = str(folder / "cache")
    store = lance_store(f"file://{folder}/corpus", must_exist=False)
    dumps = new_dumps(store, [abstracts], None)
    assert dumps is not None
    watch = Watch(nodes)
    build_corpus(cluster, store, dumps, lambda documents, _: watch.note(documents))
    return watch.took()


def answered(cluster: Cluster, nodes: int, questions: Path) -> Took:
    """Answer questions."""
    system = NamedSystem.parse("reader")
    assignment = Assignment("squad", questions, None, [system])
    watch, done = Watch(nodes), 0
    for part in AnsweringOnCluster(cluster).answered(assignment, system, ()):
        done += len(part.answers)
        watch.note(done)
    return watch.took()


def compare(what: str, unit: str, work: Callable[[Cluster, int], Took], rounds: int) -> str:
    """One node and two in turn; the median of each, and what two are worth."""

    def with_nodes(nodes: int) -> Took:
        with local_nodes(nodes, pinned=True) as address, connected(address) as cluster:
            took = work(cluster, nodes)
        print(f"# {what}, {nodes}: {took}", file=sys.stderr, flush=True)
        return took

    taken = in_turns(rounds, {nodes: partial(with_nodes, nodes) for nodes in (1, 2)})
    cells = [what, f"{taken[1][0].done:,} {unit}"]
    for rate in (lambda took: took.done / took.whole, lambda took: took.steady_done / took.steady):
        one, two = (median(map(rate, taken[nodes])) for nodes in (1, 2))
        cells += [f"{one:.1f} a second", f"{two:.1f}", f"{two / one:.2f}"]
    own = median(took.own / took.whole for took in taken[2])
    return f"| {' | '.join(cells)} | {own:.0%} |"


def main(arguments: Sequence[str]) -> None:
    """Print the table; with --write, put it on the page of results."""
    parser = command("cluster", __doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=640)
    parser.add_argument("--abstracts", type=Path, default=ABSTRACTS)
    parser.add_argument("--only", choices=("building", "answering"))
    parser.add_argument("--write", action="store_true", help=f"to {PAGE.name}")
    options = parser.parse_args(arguments)
    load, rows = os.getloadavg()[0], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if options.only != "answering":
            abstracts = data_file(options.abstracts)
            build = partial(built, abstracts=abstracts, folder=folder / "built")
            rows.append(compare("building a corpus", "documents", build, options.rounds))
        if options.only != "building":
            asked = first_questions(
                "squad", data_file(QUESTIONS), options.questions, folder / "asked.json"
            )
            answer = partial(answered, questions=asked)
            rows.append(compare("answering", "questions", answer, options.rounds))
    told = "\n".join((_about(arguments, options.rounds, load), "", HEAD, *rows))
    print(told)
    if options.write:
        replace_section(PAGE, HEADING, told)


def _about(arguments: Sequence[str], rounds: int, load: float) -> str:
    asked = " ".join(("python -m benchmarks cluster", *arguments))
    return (
        f"`{asked}`: medians of {rounds} rounds on {os.cpu_count()} cores, which had a load of "
        f"{load:.1f} before.\nA corpus of HotpotQA's abstracts is built at an address, and SQuAD's "
        "questions are answered by the shipped\nreader. A node keeps to one core; with two nodes, "
        'the command itself and Ray\'s own processes share those two.\n"Whole" counts the start '
        'of the workers and the loading of the model, "steady" what comes after each node\'s\n'
        "first piece. The last column is the processor time of the command."
    )


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
