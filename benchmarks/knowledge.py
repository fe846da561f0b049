"""How long the knowledge search takes, and how much it finds, on OpenBookQA's dev questions.

    LACUNA_DATA=… python benchmarks/knowledge.py [FOLDER]

builds the stores in FOLDER (a temporary one if it is not given), opens them, and searches triples
and sentences for every choice of every question. Core facts are kept out, and so are the facts
that the question writers were asked for: they would give the answers away.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge import Sentences, Triples, build_sentences, build_triples
from lacuna.text import content_stems, words
from lacuna.types import Question

Result = TypeVar("Result")

WRITERS_FACTS = frozenset({"obqa_crowd_facts"})


def main() -> None:
    """Measure and print."""
    data = data_folder()
    if len(sys.argv) > 1:
        measure(data, Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(data, Path(folder))


def data_folder() -> Path:
    """Where the real data is."""
    if "LACUNA_DATA" not in os.environ:
        raise LacunaError("Set LACUNA_DATA to the folder with the data.")
    return Path(os.environ["LACUNA_DATA"])


def measure(data: Path, folder: Path) -> None:
    """Build, open and search."""
    for name, build, source in (
        ("triples", build_triples, data / "conceptnet" / "triples.tsv.gz"),
        ("sentences", build_sentences, data / "science" / "sentences.tsv.gz"),
    ):
        report = timed(f"build {name}", lambda: build([source], folder / name))  # noqa: B023
        size = sum(file.stat().st_size for file in (folder / name).rglob("*") if file.is_file())
        print(f"  {report}\n  {size / 1e6:.0f} MB on disk")
    print(f"peak memory so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")
    triples = timed("open triples", lambda: Triples.open(folder / "triples"))
    sentences = timed("open sentences", lambda: Sentences.open(folder / "sentences"))

    dev = data / "openbookqa" / "dev_complete.jsonl.gz"
    with get_dataset("openbookqa").open(dev) as reader:
        questions = list(reader.questions())
    facts = [question.fact for question in questions if question.fact]
    open_ones = timed("keep facts out", lambda: sentences.without(facts, WRITERS_FACTS))
    print(f"  {len(sentences) - len(open_ones)} sentences kept out")
    pairs = [pair for question in questions for pair in pairs_of(question)]
    print(f"{len(questions)} questions, {len(pairs)} pairs of span and choice")

    found_triples = timed("search triples", lambda: [triples.search(*pair) for pair in pairs])
    found = timed("search sentences", lambda: [open_ones.search(*pair) for pair in pairs])
    strict = timed(
        "search sentences, every word",
        lambda: [open_ones.search(*pair, every_word=True) for pair in pairs],
    )
    for name, hits in (
        ("a triple", found_triples),
        ("a sentence", found),
        ("a sentence with every word", strict),
        ("either", [[*a, *b] for a, b in zip(found_triples, found, strict=True)]),
    ):
        share = sum(map(bool, hits)) / len(pairs)
        print(f"  pairs with {name}: {share:.1%}")


def timed(what: str, work: Callable[[], Result]) -> Result:
    """Do it and print how long it took."""
    start = time.perf_counter()
    result = work()
    print(f"{what}: {time.perf_counter() - start:.3f} s", flush=True)
    return result


def pairs_of(question: Question) -> Iterator[tuple[str, str]]:
    """The key span with every choice."""
    span = key_span(question.fact or "", question.text)
    return ((span, choice.text) for choice in question.choices)


def key_span(fact: str, question: str) -> str:
    """The longest run of words of the fact that the question does not mention.

    A stand-in for the span model: stop words neither break a run nor count.
    """
    mentioned = set(content_stems(question))
    runs: list[list[str]] = [[]]
    for word in words(fact):
        stems = content_stems(word)
        if stems and stems[0] in mentioned:
            runs.append([])
        else:
            runs[-1].append(word)
    return " ".join(max(runs, key=lambda run: sum(bool(content_stems(word)) for word in run)))


if __name__ == "__main__":
    main()
