"""The corpus and the questions that the retrieval benchmarks share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.types import Document

DATA = Path(os.environ.get("LACUNA_DATA", "")) / "hotpotqa"
POOLS = ("abstracts_pool.jsonl.gz", "abstracts_sample.jsonl.gz")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the titles of the paragraphs that answer it."""

    text: str
    gold: frozenset[str]


def abstracts() -> Iterator[Document]:
    """All first paragraphs, each title once."""
    seen: set[str] = set()
    for name in POOLS:
        with get_dataset("hotpotqa").open(DATA / name) as reader:
            for item in reader:
                document = item.blocks[0].document
                if document is not None and document.title not in seen:
                    seen.add(document.title)
                    yield document


def questions(name: str) -> list[Asked]:
    """The questions of one file."""
    with get_dataset("hotpotqa").open(DATA / name) as reader:
        return [
            Asked(
                item.question.text,
                frozenset(fact.title for fact in item.question.gold.supporting_facts),
            )
            for item in reader
            if item.question.gold is not None and item.question.gold.supporting_facts
        ]
