"""A part of a source, read and written on a worker: its documents are rows at the address then.

Nobody sees them until the tables that they belong to are published.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lacuna.corpus.formats.dumps.parts import DumpPart, items_of
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.new_rows import NewRows, TermCounts, document_number, rows_of
from lacuna.corpus.lance.tables import (
    DOCUMENTS,
    PASSAGES,
    SCHEMAS,
    TEXT_INDEX,
    Tables,
    batches,
)
from lacuna.corpus.source_item import Redirect, Skipped
from lacuna.corpus.text_index import Analyzer, valid
from lacuna.corpus.titles import is_valid
from lacuna.types import Document

RUN = 1
"""A source is read for the first time."""
NOTHING = TermCounts(0, 0, 0, 0)
TEXT = "INVERTED"
"""The kind of index that is worth many machines: others take seconds for millions of rows."""


@dataclass(frozen=True, slots=True)
class NumberedPart:
    """A part of a dump; ``number`` counts the parts of all sources.

    ``share`` is how much of all sources it is.
    """

    number: int
    source: int
    part: DumpPart
    share: float


@dataclass(frozen=True, slots=True)
class BuiltPart:
    """What a part held, in its order, and the files that its rows are in.

    An item is ``[title]`` of a document, ``[place, reason]`` of what was skipped, or ``[title,
    target, fragment]`` of a redirect. ``files`` are Lance's descriptions of the files, by table.
    """

    number: int
    source: int
    items: list[list[str]]
    counts: TermCounts
    files: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class CountTerms:
    """Some files of the passages' table, at a version, whose terms are to be counted."""

    version: int
    fragments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IndexColumn:
    """Some files of a table, at a version, of which a column is to be indexed."""

    table: str
    version: int
    column: str
    kind: str
    fragments: tuple[int, ...]


BuildingItem = NumberedPart | CountTerms | IndexColumn


class _OpenedBuilding:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._analyzer = Analyzer()

    def work(self, item: BuildingItem) -> Any:
        """A ``BuiltPart``, how many passages have each term, or Lance's words on an index."""
        match item:
            case NumberedPart():
                return self._built(item)
            case CountTerms():
                return self._counted(item)
            case IndexColumn():
                return self._indexed(item)

    def _counted(self, item: CountTerms) -> dict[str, int]:
        counts: Counter[str] = Counter()
        with telling_failures(self._tables.address):
            table = self._tables.open(PASSAGES, item.version)
            for fragment in item.fragments:
                for batch in table.get_fragment(fragment).to_batches(columns=["words"]):
                    for words in batch["words"].to_pylist():
                        counts.update(set(words.split()))
        return dict(counts)

    def _indexed(self, item: IndexColumn) -> Any:
        with telling_failures(self._tables.address, "written"):
            return self._tables.open(item.table, item.version).create_index_uncommitted(
                item.column,
                item.kind,
                name=index_name(item.column),
                fragment_ids=list(item.fragments),
                **(TEXT_INDEX if item.kind == TEXT else {}),
            )

    def _built(self, item: NumberedPart) -> BuiltPart:
        rows: list[NewRows] = []
        told: list[list[str]] = []
        for found in items_of(item.part):
            match found:
                case Document() | Redirect() if not is_valid(found.title):
                    told.append([ascii(found.title), "its title is empty or not valid Unicode"])
                case Document():
                    number = document_number(item.number, len(rows))
                    new = rows_of(found, number, item.source, RUN, self._analyzer)
                    rows.append(new)
                    told.append([found.title])
                case Redirect(title, target, fragment):
                    told.append([title, valid(target), valid(fragment)])
                case Skipped(where, reason):
                    told.append([valid(where), valid(reason)])
        files = {
            DOCUMENTS: self._written(DOCUMENTS, [new.document for new in rows]),
            PASSAGES: self._written(PASSAGES, [row for new in rows for row in new.passages]),
        }
        counts = TermCounts(*map(sum, zip(NOTHING, *(new.counts for new in rows), strict=True)))
        return BuiltPart(item.number, item.source, told, counts, files)

    def _written(self, name: str, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
        from lance.fragment import write_fragments

        if not rows:
            return []
        reader = pa.RecordBatchReader.from_batches(SCHEMAS[name], batches(name, rows))
        with telling_failures(self._tables.address, "written"):
            # Not "create": a run that was killed late, or another writer, may have left a table.
            made = write_fragments(reader, self._tables.where(name), mode="overwrite")
        return [fragment.to_json() for fragment in made]


def index_name(column: str) -> str:
    """As Lance names it by itself."""
    return f"{column}_idx"


@dataclass(frozen=True, slots=True)
class BuildingJob:
    """Where to write."""

    address: str

    @contextmanager
    def open(self) -> Iterator[_OpenedBuilding]:
        """Nothing is read there before it is published."""
        os.environ.setdefault("LANCE_CPU_THREADS", "1")  # as many as the worker has cores
        yield _OpenedBuilding(Tables(self.address))

    def halves(self, item: BuildingItem) -> None:
        """A part is read whole, or not at all."""
