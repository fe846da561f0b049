"""Real questions over real documents: the folder that LACUNA_REAL names, and its collections."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import data_folder
from benchmarks.retrieval.evidence_match import EvidenceSentence
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError

SCHOOLS = "schools"
STRANGERS = "strangers"
SCHOOLS_ARCHIVE = Path("wiki", "schools_wikipedia_2007_html.tar.xz")


@dataclass(frozen=True, slots=True)
class RealQuestion:
    """A question with an answer, the collection it is about, and what answers it."""

    corpus: str
    text: str
    evidence: tuple[EvidenceSentence, ...]


def add_collection_options(parser: argparse.ArgumentParser) -> None:
    """Which collections are asked, and where they are kept."""
    parser.add_argument("--corpus", action="append", help="may be given again; all unless given")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(tempfile.gettempdir()) / "lacuna-finding",
        help="keeps the indexed collections: delete it when they are to be read anew",
    )


def real_folder() -> Path:
    """The folder with the questions and the collections."""
    if not (folder := os.environ.get("LACUNA_REAL")):
        raise LacunaError("Set LACUNA_REAL to the folder with the real questions.")
    return Path(folder)


def answerable_questions() -> list[RealQuestion]:
    """All questions that the documents answer."""
    questions = json.loads((real_folder() / "questions.json").read_text("utf-8"))
    return [
        RealQuestion(
            question["corpus"],
            question["question"],
            tuple(EvidenceSentence(each["sentence"]) for each in question["evidence"]),
        )
        for question in questions
        if question["evidence"]
    ]


def collection(name: str, work: Path) -> EmbeddedStore:
    """The store of a collection; read once and kept in the folder ``work``."""
    folder = work / name
    if not folder.exists():
        work.mkdir(parents=True, exist_ok=True)
        archive = archive_of(name)
        unfinished = work / f"{name}.part"
        with Store.create(unfinished) as store, store.writer() as writer:
            writer.add(open_source(archive))
        unfinished.rename(folder)
    return Store.open(folder)


def archive_of(name: str) -> Path:
    """The documents of a collection: a real one, the Schools Wikipedia, or one of strangers."""
    if name == SCHOOLS:
        return data_folder() / SCHOOLS_ARCHIVE
    real = real_folder() / f"{name}.tar.xz"
    return real if real.exists() else data_folder() / STRANGERS / real.name


def stored_passages(store: EmbeddedStore) -> Iterator[tuple[str, int, int, str]]:
    """Title, start, end and headings of all passages of a store."""
    yield from store.database.execute(
        'SELECT title, start, "end", section FROM passages '
        "JOIN documents ON documents.id = document ORDER BY passages.id"
    )
