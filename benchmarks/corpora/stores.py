"""The embedded store beside Lance tables on a disk: do they find the same, and how fast.

HotpotQA's abstracts are asked HotpotQA's questions, and each collection of real documents its own
questions; "made" has --passages made of the abstracts, and is built only if it is named. The corpus
in the folder is copied to an address, then both are asked in turns, in one process that has
answered --before of HotpotQA's other questions, and has copied what it copies then. A query's times
are medians, by the clock and by the processor (of all threads): when a question is asked for the
first time, and over all rounds in which it is asked again. What is indexed is kept in --work.

    python -m benchmarks stores --corpus abstracts --corpus made --passages 1000000
    python -m benchmarks stores --corpus WORK/687000      # what `scaling --work WORK` has left
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.corpora.made_documents import made_documents
from benchmarks.measure import size_of
from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, abstracts, question_texts
from benchmarks.retrieval.real_questions import answerable_questions, collection
from benchmarks.scaling.unit_costs import CORPUS, TABLES
from lacuna.corpus.open import copy_corpus
from lacuna.corpus.store import Store, store_at
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.registry import Hit
from lacuna.types import Document
from lacuna_scale.lance import search as near_copy

ABSTRACTS = "abstracts"
MADE = "made"
BEST = 10
CLOCKS = (time.perf_counter, time.process_time)
QUALITY = ("corpus", "passages", "questions", "of the ten best", "first", "all ten alike", "score")
SPEED = (
    *("corpus", "copy, s", "folder, MB", "tables, MB", "folder, ms", "tables, ms", "ratio"),
    *("of processor", "again: folder, ms", "tables, ms", "ratio", "of processor"),
)


def main(arguments: Sequence[str]) -> None:
    """Print two tables."""
    parser = command("stores", __doc__)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--before", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", action="append", help="may be given again")
    parser.add_argument("--passages", type=int, default=1_000_000, help="of the corpus made")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "lacuna-stores")
    options = parser.parse_args(arguments)
    hotpotqa = question_texts(FULL_WIKI, options.questions + options.before)
    asked = {ABSTRACTS: hotpotqa[options.before :]}
    for real in answerable_questions():
        asked.setdefault(real.corpus, []).append(real.text)
    quality, speed = [], []
    names = options.corpus or list(asked)
    asked[MADE] = asked[ABSTRACTS]
    for name in names:
        tables = options.work / f"{name}.tables"
        if Path(name, CORPUS).is_dir():
            folder, tables = Path(name, CORPUS), Path(name, TABLES)
            asked[name] = asked[MADE]
        elif name == MADE:
            name = f"{MADE}-{options.passages}"
            tables = options.work / f"{name}.tables"
            asked[name] = asked[MADE]
            folder = _filled(options.work / name, lambda: made_documents(options.passages))
        elif name == ABSTRACTS:
            folder = abstracts_folder(options.work)
        else:
            folder = _real(name, options.work)
        copied = "–"
        if not tables.exists():
            began = time.perf_counter()
            copy_corpus(folder, Path(f"file://{tables.resolve()}"))
            copied = f"{time.perf_counter() - began:.0f}"
        with store_at(folder) as embedded, store_at(Path(f"file://{tables.resolve()}")) as lance:
            searches = [Bm25Retriever(embedded).search, Bm25Retriever(lance).search]
            for search in searches:
                for question in hotpotqa[: options.before]:
                    search(question, BEST)
            for thread in threading.enumerate():
                if thread.name == near_copy.THREAD:
                    thread.join()
            first = in_turns(asked[name], 1, searches)
            again = in_turns(asked[name], options.rounds, searches)
            quality.append((name, f"{_passages(embedded):,}", *compared(asked[name], *searches)))
            sizes = (f"{size_of(folder) / 1e6:.0f}", f"{size_of(tables) / 1e6:.0f}")
            times = [*_cells(first), *_cells(again)]
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


def _cells(medians: list[list[float]]) -> list[str]:
    (ours, others), (our_processor, other_processor) = medians
    return [
        *(f"{1000 * ours:.1f}", f"{1000 * others:.1f}", f"{others / ours:.2f}"),
        f"{other_processor / our_processor:.2f}",
    ]


def _passages(store: Store) -> int:
    return store.info().passages


def abstracts_folder(work: Path) -> Path:
    """HotpotQA's abstracts as a corpus in a folder; read once and kept."""
    return _filled(work / ABSTRACTS, abstracts)


def _filled(folder: Path, documents: Callable[[], Iterator[Document]]) -> Path:
    if not folder.exists():
        unfinished = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(unfinished, ignore_errors=True)
        with Store.create(unfinished) as store, store.writer() as writer:
            writer.add(documents())
        unfinished.rename(folder)
    return folder


def _real(name: str, work: Path) -> Path:
    collection(name, work).close()
    return work / name
