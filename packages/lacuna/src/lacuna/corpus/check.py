"""Tell if a store is what was written, and agrees with itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lacuna.corpus import database
from lacuna.corpus import integrity as seal
from lacuna.corpus.embedded_store import EmbeddedStore, StoreFiles
from lacuna.corpus.graph import array_folders, build_graph, open_arrays_of
from lacuna.corpus.integrity import reason_of
from lacuna.corpus.passages import lead
from lacuna.corpus.rows import NUMBER, found_terms, links_in_order
from lacuna.corpus.text_index import Analyzer, SearchIndex, joined, passage_numbers
from lacuna.corpus.titles import folded
from lacuna.errors import LacunaError, shown
from lacuna.types import Document

COUNTS = """
SELECT count(*), coalesce(sum(title_terms), 0), coalesce(sum(heading_terms), 0),
    coalesce(sum(length(terms)) / 4 - sum(title_terms) - sum(heading_terms), 0) FROM passages
"""
NAMES = ("passages", "title_terms", "heading_terms", "body_terms")


class DerivedCheck:
    """Goes through all documents of a store."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        self._analyzer = Analyzer()
        self._terms = dict(store.database.execute("SELECT id, term FROM terms").fetchall())
        self._names = dict(store.database.execute("SELECT id, name FROM names").fetchall())

    def problems(self) -> Iterator[tuple[str, str, bool]]:
        """Part, what is wrong with it, and whether it can be rebuilt."""
        numbers = [row[0] for row in self._store.database.execute("SELECT id FROM documents")]
        for number in numbers:
            try:
                document = self._store.numbered(number)
            except LacunaError as error:
                yield f"document {number}", reason_of(error), False
                continue
            if document is not None and not self._fits(number, document):
                what = "its passages, terms or links are not those of its text"
                yield f"document {shown(document.title)}", what, True
        counted = self._store.database.execute(COUNTS).fetchone()
        if [self._store.count(name) for name in NAMES] != list(counted):
            yield "counts", "the numbers of passages and terms are wrong", True

    def _fits(self, number: int, document: Document) -> bool:
        first, targets = lead(document), links_in_order(document)
        fold, links, lead_links, *span = self._store.database.execute(
            "SELECT folded, links, lead_links, lead_start, lead_end FROM documents WHERE id = ?",
            (number,),
        ).fetchone()
        rows = self._store.database.execute(
            'SELECT start, "end", section, title_terms, heading_terms, terms FROM passages '
            "WHERE document = ? ORDER BY id",
            (number,),
        ).fetchall()
        expected = [
            (
                *found.span,
                joined(found.path),
                len(found.title),
                len(found.headings),
                [*found.title, *found.headings, *found.body],
            )
            for found in found_terms(document, self._analyzer)
        ]
        return (
            fold == folded(document.title)
            and tuple(span) == tuple(first)
            and _read(links, self._names) == [target for _, target in targets]
            and lead_links == sum(start < first.end for start, _ in targets)
            and [(*row, _read(terms, self._terms)) for *row, terms in rows] == expected
        )


def _read(numbers: bytes, meanings: dict[int, Any]) -> list[Any]:
    return [meanings.get(number) for number in np.frombuffer(numbers, NUMBER).tolist()]


ARRAYS = ("graph", "hotpot")


class StoreProblem(NamedTuple):
    """A problem of a part of a store."""

    part: str
    what: str
    can_be_rebuilt: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check; ``is_sealed`` says whether there were checksums to compare with."""

    problems: list[StoreProblem]
    is_sealed: bool


def check_store(folder: Path, *, deep: bool = False) -> Checked:
    """Compare every file with its checksum, and the parts with each other.

    With ``deep``, every document is read, and all that is derived from it is derived again.
    """
    sealed = seal.is_sealed(folder)
    return Checked(list(_problems(folder, deep)), sealed)


def database_problems(folder: Path, *, deep: bool) -> Iterator[StoreProblem]:
    """Problems of the database; most of it means that documents may be lost."""
    if seal.DATABASE in seal.damaged_files(folder):
        yield StoreProblem(seal.DATABASE, "is not as it was written", False)
    pragma = "integrity_check" if deep else "quick_check"
    try:
        with closing(database.connect(folder)) as connection:
            told = [row[0] for row in connection.execute(f"PRAGMA {pragma}(10)")]
    except (LacunaError, sqlite3.Error) as error:
        yield StoreProblem(seal.DATABASE, f"cannot be read: {reason_of(error)}", False)
        return
    for line in told:
        if line != "ok":
            yield StoreProblem(seal.DATABASE, str(line), False)


def _problems(folder: Path, deep: bool) -> Iterator[StoreProblem]:
    found = list(database_problems(folder, deep=deep))
    yield from found
    hit = [name for name in seal.damaged_files(folder) if name != seal.DATABASE]
    yield from (StoreProblem(name, "is not as it was written", True) for name in hit)
    try:
        with StoreFiles(folder) as store:
            if (
                not hit
            ):  # tantivy believes the lengths in its files, and a wrong one ends the process
                yield from _index_problems(store)
            yield from _array_problems(store, deep)
            if deep:
                yield from (StoreProblem(*one) for one in DerivedCheck(store).problems())
    except Exception as error:  # bytes that make no sense fail in many ways
        if not found:
            yield StoreProblem(seal.DATABASE, f"cannot be read: {reason_of(error)}", False)


def _index_problems(store: EmbeddedStore) -> Iterator[StoreProblem]:
    if store.behind:
        return  # a writer is at work, or was killed; the next one goes on
    try:
        there = passage_numbers(SearchIndex(store.folder))
    except LacunaError as error:
        yield StoreProblem(seal.INDEX, f"cannot be read: {reason_of(error)}", True)
        return
    wanted = {number for (number,) in store.database.execute("SELECT id FROM passages")}
    if there != wanted:
        count = len(there ^ wanted)
        yield StoreProblem(seal.INDEX, f"differs from the database in {count:,} passages", True)


def _array_problems(store: EmbeddedStore, deep: bool) -> Iterator[StoreProblem]:
    for name in ARRAYS:
        path = array_folders(store.folder, name).get(store.generation)
        if path is None:
            continue
        arrays = open_arrays_of(path, store.token, most=None)
        if arrays is None:
            yield StoreProblem(path.name, "is not as it was written", True)
        elif deep and name == "graph":
            anew = build_graph(store.database)
            if any((arrays[key] != anew[key]).any() for key in anew):
                yield StoreProblem(path.name, "differs from the links in the database", True)
