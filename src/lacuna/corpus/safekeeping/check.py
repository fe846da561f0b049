"""``lacuna corpus check``: whether a store is what was written, and agrees with itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lacuna.corpus import database
from lacuna.corpus.arrays import array_folders, open_arrays_of
from lacuna.corpus.embedded_store import EmbeddedStore, StoreFiles
from lacuna.corpus.links.graph_build import build_graph
from lacuna.corpus.safekeeping import seal
from lacuna.corpus.safekeeping.damage import reason_of
from lacuna.corpus.safekeeping.derived import DerivedCheck
from lacuna.corpus.text_index import SearchIndex, passage_numbers
from lacuna.errors import LacunaError

ARRAYS = ("graph", "hotpot")


class StoreProblem(NamedTuple):
    """What is wrong with a part of a store."""

    part: str
    what: str
    can_be_rebuilt: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found; ``is_sealed`` says whether there were checksums to compare with."""

    problems: list[StoreProblem]
    is_sealed: bool


def check_store(folder: Path, *, deep: bool = False) -> Checked:
    """Compare every file with its checksum, and the parts with each other.

    With ``deep``, every document is read, and all that is derived from it is derived again.
    """
    sealed = seal.is_sealed(folder)
    return Checked(list(_problems(folder, deep)), sealed)


def database_problems(folder: Path, *, deep: bool) -> Iterator[StoreProblem]:
    """What is wrong with the database; most of it means that documents may be lost."""
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
