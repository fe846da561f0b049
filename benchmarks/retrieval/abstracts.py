"""The corpus and the questions that the retrieval benchmarks share: HotpotQA's abstracts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import data_folder, read_questions
from lacuna.datasets import get_dataset
from lacuna.types import Document

if TYPE_CHECKING:
    from lacuna.corpus.store import Store

FOLDER = Path("hotpotqa")
POOLS = ("abstracts_pool.jsonl.gz", "abstracts_sample.jsonl.gz")
DEV = FOLDER / "dev.json.gz"
FULL_WIKI = FOLDER / "dev_fullwiki.json.gz"


def abstracts() -> Iterator[Document]:
    """All first paragraphs, each title once."""
    seen: set[str] = set()
    for name in POOLS:
        with get_dataset("hotpotqa").open(data_folder() / FOLDER / name) as reader:
            for item in reader:
                document = item.blocks[0].document
                if document is not None and document.title not in seen:
                    seen.add(document.title)
                    yield document


@contextmanager
def store_of_abstracts() -> Iterator[Store]:
    """A store with all of them, for as long as it is needed."""
    from lacuna.corpus.store import Store  # not above: other engines are measured without it

    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "store") as store:
        with store.writer() as writer:
            writer.add(abstracts())
        yield store


def question_texts(path: Path, limit: int) -> list[str]:
    """The first questions of a file."""
    return [question.text for question in read_questions("hotpotqa", path, limit)]
