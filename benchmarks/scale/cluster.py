"""One Ray node beside two: a corpus is built, and questions are answered.

Both are on this machine, as processes of their own, and take turns. The machine of the command has
no core in the cluster; its processor time is told beside, because it is what many nodes wait for in
the end. Times are those of the work: that workers start and load counts for neither.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.data import data_file
from lacuna.cluster.answering import AnsweringOnCluster
from lacuna.cluster.building import build_corpus, new_dumps
from lacuna.cluster.connection import Cluster, connected
from lacuna.corpus.at_place import lance_store
from lacuna.datasets import get_dataset
from lacuna.systems.assignment import Assignment
from lacuna.systems.registry import NamedSystem

STORE = 200 << 20
"""Bytes of shared memory of a node."""
ABSTRACTS = Path("hotpotqa", "abstracts_sample.jsonl.gz")
QUESTIONS = Path("squad", "dev-v2.0.json.gz")


class Took(NamedTuple):
    """Seconds by the clock, seconds of this process's processor time, and how much was done."""

    wall: float
    own: float
    done: int


@contextmanager
def local_cluster(nodes: int) -> Iterator[Cluster]:
    """A head without a core, and nodes with one each."""
    from ray.cluster_utils import Cluster as LocalCluster

    shared = {"object_store_memory": STORE}
    head = {"num_cpus": 0, "include_dashboard": False, **shared}
    local = LocalCluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(nodes):
            local.add_node(num_cpus=1, **shared)
        with connected(str(local.address)) as cluster:
            yield cluster
    finally:
        local.shutdown()


def built(cluster: Cluster, abstracts: Path, folder: Path) -> Took:
    """Build a corpus, from the first part that is done to the end."""
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["LACUNA_CACHE"] = str(folder / "cache")
    store = lance_store(f"file://{folder}/corpus", must_exist=False)
    dumps = new_dumps(store, [abstracts], None)
    assert dumps is not None
    began: list[tuple[float, float, int]] = []
    seen = 0

    def note(documents: int) -> None:
        nonlocal seen
        seen = documents
        if not began:
            began.append((time.perf_counter(), _own(), documents))

    build_corpus(cluster, store, dumps, note)
    start, own, first = began[0]
    return Took(time.perf_counter() - start, _own() - own, seen - first)


def answered(cluster: Cluster, questions: Path) -> Took:
    """Answer questions, from the first block that is done to the end."""
    system = NamedSystem.parse("reader")
    assignment = Assignment("squad", questions, None, [system])
    parts = AnsweringOnCluster(cluster).answered(assignment, system, ())
    next(parts)
    start, own = time.perf_counter(), _own()
    done = sum(len(part.answers) for part in parts)
    return Took(time.perf_counter() - start, _own() - own, done)


def first_questions(file: Path, count: int, out: Path) -> Path:
    """The first questions of a file, as a file of their own."""
    dataset = get_dataset("squad")
    items, size = [], 0
    with dataset.open(file) as reader:
        for item in reader:
            if size >= count:
                break
            items.append(item)
            size += len(list(item.questions))
        dataset.write(out, items, form=reader.form, shape=reader.shape, header=reader.header)
    return out


def compare(what: str, unit: str, work: Callable[[Cluster], Took], rounds: int) -> None:
    """One node and two in turn; the median of each, and what two are worth."""
    taken: dict[int, list[Took]] = {1: [], 2: []}
    for _ in range(rounds):
        for nodes in taken:
            with local_cluster(nodes) as cluster:
                taken[nodes].append(work(cluster))
                print(f"# {what}, {nodes}: {taken[nodes][-1]}", file=sys.stderr, flush=True)
    rates = {
        nodes: median(took.done / took.wall for took in every) for nodes, every in taken.items()
    }
    own = median(took.own / took.wall for took in taken[2])
    times = rates[2] / rates[1]
    print(f"| {what} | {unit} | {rates[1]:.1f} | {rates[2]:.1f} | {times:.2f} | {own:.0%} |")


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cluster", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=320)
    parser.add_argument("--abstracts", type=Path, default=ABSTRACTS)
    parser.add_argument("--only", choices=("building", "answering"))
    options = parser.parse_args(arguments)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    print("| work | a second | one node | two nodes | times | this process, of a core |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if options.only != "answering":
            abstracts = data_file(options.abstracts)
            build = partial(built, abstracts=abstracts, folder=folder / "built")
            compare("building a corpus", "documents", build, options.rounds)
        if options.only != "building":
            asked = first_questions(data_file(QUESTIONS), options.questions, folder / "asked.json")
            compare("answering", "questions", partial(answered, questions=asked), options.rounds)
    print(f"\nLoad of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
