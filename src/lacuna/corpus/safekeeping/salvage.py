"""What can still be read of a damaged database, row by row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lacuna.corpus.database import unpack
from lacuna.corpus.page_rows import unpack_links
from lacuna.corpus.safekeeping.damage import reason_of, row_sum
from lacuna.corpus.safekeeping.saved_sources import SavedSources
from lacuna.corpus.titles import folded
from lacuna.errors import LacunaError
from lacuna.types import Document

UNREADABLE = (LacunaError, sqlite3.Error, ValueError, TypeError, KeyError, OverflowError)
TABLES: dict[str, dict[str, type]] = {
    "files": {"source": int, "name": str},
    "pages": {
        "source": int,
        "path": str,
        "file": str,
        "called": str,
        "names": str,
        "written": bytes,
        "body": bytes,
        "linked": str,
        "resolved": int,
        "missing": int,
        "outside": int,
    },
    "redirects": {"title": str, "folded": str, "target": str, "fragment": str, "source": int},
    "skipped": {"source": int, "place": str, "file": str, "reason": str},
}
"""What a store holds besides documents and sources, and cannot derive from them."""
OF_A_SOURCE = ("files", "pages")
"""What means nothing without its source."""


class SavedDocument(NamedTuple):
    """A document, and how it is known."""

    document: Document
    source: int
    path: str
    run: int


class Salvage:
    """Reads a database of which parts make no sense; what was lost is collected."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.lost: list[str] = []
        self.sources = SavedSources(connection, self.lost)

    def documents(self) -> Iterator[SavedDocument]:
        """All documents that are as they were written."""
        for number in sorted(self._numbers()):
            try:
                yield self._document(number)
            except UNREADABLE as error:
                self.lost.append(f"{self._name(number)} ({reason_of(error)})")

    def rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows of another table, as far as they can be read; some may come twice."""
        columns = TABLES[table]
        for order in ("", " DESC"):  # from both ends, where something in the middle is damaged
            sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1{order}, 2{order}"
            try:
                cursor = self._connection.execute(sql)
                while (row := cursor.fetchone()) is not None:
                    fields = dict(zip(columns, row, strict=True))
                    if not _makes_sense(table, fields):
                        self.lost.append(f"a row of {table}")
                        continue
                    if fields["source"] not in self.sources:
                        if table in OF_A_SOURCE:
                            continue
                        fields["source"] = 0
                    yield tuple(fields.values())
            except UNREADABLE as error:
                if not order:
                    self.lost.append(f"rows of {table} ({reason_of(error)})")
            else:
                return

    def generation(self) -> int:
        """The last generation, if it can be told."""
        with suppress(*UNREADABLE):
            sql = "SELECT value FROM counts WHERE name = 'generation'"
            return int(self._connection.execute(sql).fetchone()[0])
        return 0

    def _document(self, number: int) -> SavedDocument:
        row = self._connection.execute(
            "SELECT source, path, run, title, body, sum FROM documents WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            raise ValueError("its row is gone")
        source, path, run, title, body, expected = row
        if expected not in (None, row_sum(source, path, run, title, body)):
            raise ValueError("its checksum does not fit")
        try:
            return SavedDocument(unpack(title, body), source, path, run)
        except Exception as error:  # bytes that make no sense fail in many ways
            raise ValueError("its text cannot be unpacked") from error

    def _numbers(self) -> set[int]:
        """The numbers of all documents: of the table from both ends, and of what refers to it."""
        found: set[int] = set()
        for sql in (
            "SELECT id FROM documents NOT INDEXED ORDER BY id",
            "SELECT id FROM documents NOT INDEXED ORDER BY id DESC",
            "SELECT id FROM documents ORDER BY title",
            "SELECT id FROM documents ORDER BY folded",
            "SELECT DISTINCT document FROM passages ORDER BY document",
        ):
            with suppress(*UNREADABLE):
                cursor = self._connection.execute(sql)
                while (row := cursor.fetchone()) is not None:
                    if isinstance(row[0], int) and row[0] > 0:
                        found.add(row[0])
        return found

    def _name(self, number: int) -> str:
        """How a lost document was called, as far as that can be told."""
        for sql in (
            "SELECT title FROM documents INDEXED BY sqlite_autoindex_documents_1 WHERE id = ?",
            "SELECT title FROM documents WHERE id = ?",
        ):
            with suppress(*UNREADABLE):
                row = self._connection.execute(sql, (number,)).fetchone()
                if row is not None and isinstance(row[0], str):
                    return repr(row[0])
        return f"document {number}"


def _makes_sense(table: str, row: dict[str, Any]) -> bool:
    for column, kind in TABLES[table].items():
        if not isinstance(row[column], kind) and (column, row[column]) != ("body", None):
            return False
    if table == "redirects":
        return bool(row["folded"] == folded(row["title"]))
    if table != "pages":
        return True
    checks: tuple[Callable[[], object], ...] = (
        lambda: unpack_links(row["written"]),
        lambda: json.loads(row["names"]),
        lambda: row["body"] is None or unpack("", row["body"]),
    )
    try:
        for check in checks:
            check()
    except Exception:  # bytes that make no sense fail in many ways
        return False
    return True


def damaged_copy(folder: Path) -> Path:
    """Where the database goes that was repaired."""
    return folder / "damaged.sqlite"
