"""Questions with the passages that answer them, for the term vectors; training files alone."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lacuna.errors import LacunaError


class TermPair(NamedTuple):
    """A question and its passage, which begins with its title.

    Passages of one ``group`` (an article, a manual) are hard to tell from each other.
    """

    group: str
    question: str
    passage: str


def training_pairs(folder: Path) -> Iterator[TermPair]:
    """The pairs of all files that a data folder has; at least one must be there."""
    paths = [(folder / name, read) for name, read in FILES.items()]
    there = [(path, read) for path, read in paths if path.is_file()]
    if not there:
        names = ", ".join(FILES)
        raise LacunaError(
            f"{folder} has none of the files that term vectors are learned from: {names}."
        )
    for path, read in there:
        for pair in read(path):
            if pair.question.strip() and pair.passage.strip():
                yield pair


def _lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _whole(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _squad(path: Path) -> Iterator[TermPair]:
    for article in _whole(path)["data"]:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                yield TermPair(title, asked["question"], f"{title}. {paragraph['context']}")


def _natural(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        yield TermPair("natural", item["question"], f"{item['title']}. {item['paragraph']}")


def _yes_no(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        yield TermPair("yes or no", item["question"], f"{item['title']}. {item['passage']}")


def _two_hops(path: Path) -> Iterator[TermPair]:
    for item in _whole(path):
        gold = {fact[0] for fact in item["supporting_facts"]}
        for title, sentences in item["context"]:
            if title in gold:
                yield TermPair(
                    path.parent.name, item["question"], f"{title}. {' '.join(sentences)}"
                )


def _synthetic(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        passage = f"{item['title']}. {item['section']}. {item['passage']}"
        # Twice: they alone are about manuals and handbooks.
        yield from 2 * [TermPair(item["source"], item["question"], passage)]


FILES: dict[str, Callable[[Path], Iterator[TermPair]]] = {
    "squad/train-v1.1.json.gz": _squad,
    "qed/train.jsonl.gz": _natural,
    "boolq/train.jsonl.gz": _yes_no,
    "hotpotqa/train.json.gz": _two_hops,
    "2wikimultihopqa/train.json.gz": _two_hops,
    "synthetic/fact.jsonl.gz": _synthetic,
    "synthetic/yes.jsonl.gz": _synthetic,
    "synthetic/no.jsonl.gz": _synthetic,
    "synthetic/list.jsonl.gz": _synthetic,
}
"""Where pairs come from, and how each file is read."""
