"""The embedded store beside Lance tables on a disk: do they find the same, and how fast.

HotpotQA's abstracts are asked HotpotQA's questions, and each collection of real documents its own
questions. The corpus in the folder is copied to an address, then both are asked in turns, in one
process; a query's times are the medians of all questions and rounds, by the clock and by the
processor (of all threads). What is indexed is kept in --work.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.measure import size_of
from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, abstracts, question_texts
from benchmarks.retrieval.real_questions import answerable_questions, collection
from lacuna.corpus.at_place import store_at
from lacuna.corpus.copying import copy_corpus
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.protocol import Hit

ABSTRACTS = "abstracts"
BEST = 10
CLOCKS = (time.perf_counter, time.process_time)
QUALITY = ("corpus", "passages", "questions", "of the ten best", "first", "all ten alike", "score")
SPEED = (
    *("corpus", "copy, s", "folder, MB", "tables, MB", "folder, ms", "tables, ms", "ratio"),
    *("folder, processor ms", "tables, processor ms", "ratio"),
)


def main(arguments: Sequence[str]) -> None:
    """Print two tables."""
    parser = command("stores", __doc__)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", action="append", help="may be given again; all unless given")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "lacuna-stores")
    options = parser.parse_args(arguments)
    asked = {ABSTRACTS: question_texts(FULL_WIKI, options.questions)}
    for question in answerable_questions():
        asked.setdefault(question.corpus, []).append(question.text)
    quality, speed = [], []
    for name in options.corpus or asked:
        folder = abstracts_folder(options.work) if name == ABSTRACTS else _real(name, options.work)
        tables = options.work / f"{name}.tables"
        copied = "–"
        if not tables.exists():
            began = time.perf_counter()
            copy_corpus(folder, Path(f"file://{tables.resolve()}"))
            copied = f"{time.perf_counter() - began:.0f}"
        with store_at(folder) as embedded, store_at(Path(f"file://{tables.resolve()}")) as lance:
            searches = [Bm25Retriever(embedded).search, Bm25Retriever(lance).search]
            quality.append((name, f"{_passages(embedded):,}", *compared(asked[name], *searches)))
            medians = in_turns(asked[name], options.rounds, searches)
            sizes = (f"{size_of(folder) / 1e6:.0f}", f"{size_of(tables) / 1e6:.0f}")
            times = [
                cell
                for ours, others in medians
                for cell in (f"{1000 * ours:.1f}", f"{1000 * others:.1f}", f"{others / ours:.2f}")
            ]
            speed.append((name, copied, *sizes, *times))
    for heads, rows in ((QUALITY, quality), (SPEED, speed)):
        print(f"| {' | '.join(heads)} |\n|---|{'---:|' * (len(heads) - 1)}")
        print("\n".join(f"| {' | '.join(map(str, row))} |" for row in rows), end="\n\n")


def compared(
    questions: Sequence[str], one: Callable[..., list[Hit]], other: Callable[..., list[Hit]]
) -> tuple[str, ...]:
    """What the second finds of the ten best of the first, and the largest difference of a score."""
    found = wanted = first = alike = 0
    difference = 0.0
    for question in questions:
        ours = {(hit.title, hit.start): hit.score for hit in one(question, BEST)}
        others = {(hit.title, hit.start): hit.score for hit in other(question, BEST)}
        both = ours.keys() & others.keys()
        found, wanted = found + len(both), wanted + len(ours)
        first += list(ours)[:1] == list(others)[:1]
        alike += list(ours) == list(others)
        difference = max([difference, *(abs(ours[hit] - others[hit]) for hit in both)])
    shares = (100 * found / max(wanted, 1), 100 * first / len(questions))
    return (
        str(len(questions)),
        *(f"{share:.2f} %" for share in (*shares, 100 * alike / len(questions))),
        f"± {difference:.1g}",
    )


def in_turns(
    questions: Sequence[str], rounds: int, searches: Sequence[Callable[..., list[Hit]]]
) -> list[list[float]]:
    """The median times of a query, in seconds: by the clock, then by the processor."""
    times: list[list[list[float]]] = [[[] for _ in searches] for _ in CLOCKS]
    for _ in range(rounds):
        for question in questions:
            for number, search in enumerate(searches):
                began = [clock() for clock in CLOCKS]
                search(question, BEST)
                for clock, start, taken in zip(CLOCKS, began, times, strict=True):
                    taken[number].append(clock() - start)
    return [[median(each) for each in by_clock] for by_clock in times]


def _passages(store: Store) -> int:
    return store.info().passages


def abstracts_folder(work: Path) -> Path:
    """HotpotQA's abstracts as a corpus in a folder; read once and kept."""
    folder = work / ABSTRACTS
    if not folder.exists():
        unfinished = work / f"{ABSTRACTS}.part"
        with Store.create(unfinished) as store, store.writer() as writer:
            writer.add(abstracts())
        unfinished.rename(folder)
    return folder


def _real(name: str, work: Path) -> Path:
    collection(name, work).close()
    return work / name
