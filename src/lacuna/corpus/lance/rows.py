"""The rows of an embedded store as those of the tables, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from lacuna.corpus.document_rows import NUMBER
from lacuna.corpus.lance.tables import SCHEMAS
from lacuna.corpus.text_index import SECTION_MARK, section_keys

Row = tuple[Any, ...]
AT_ONCE = 500
"""Rows that are fetched from the database with one statement."""
COUNTED = ("passages", "title_terms", "heading_terms", "body_terms")
ORDER = {
    "redirects": "title",
    "skipped": "source, place",
    "sources": "id",
    "files": "source, name",
    "pages": "source, path",
}


class Meanings:
    """The names or terms of an embedded store by their numbers."""

    def __init__(self, database: sqlite3.Connection, table: str, column: str) -> None:
        rows = database.execute(f"SELECT id, {column} FROM {table}").fetchall()
        most = max((number for number, _ in rows), default=0)
        self._texts = np.full(most + 1, "", object)
        for number, text in rows:
            self._texts[number] = text

    def of(self, numbers: bytes) -> list[str]:
        """The texts of some numbers as the database has them."""
        texts: list[str] = self._texts[np.frombuffer(numbers, NUMBER)].tolist()
        return texts


def document_rows(database: sqlite3.Connection, numbers: Collection[int]) -> Iterator[Row]:
    """Documents with these numbers, in their order."""
    names = Meanings(database, "names", "name")
    sql = (
        "SELECT id, source, path, run, title, folded, body, lead_start, lead_end, links, "
        "lead_links, sum FROM documents WHERE id IN ({}) ORDER BY id"
    )
    for *row, links, lead_links, row_sum in _chosen(database, sql, numbers):
        yield *row, names.of(links), lead_links, row_sum


def passage_rows(database: sqlite3.Connection, numbers: Collection[int]) -> Iterator[Row]:
    """Passages with these numbers, in their order."""
    terms = Meanings(database, "terms", "term")
    sql = (
        'SELECT passages.id, document, title, start, "end", section, title_terms, heading_terms, '
        "terms FROM passages JOIN documents ON documents.id = document "
        "WHERE passages.id IN ({}) ORDER BY passages.id"
    )
    for *row, section, title_terms, heading_terms, blob in _chosen(database, sql, numbers):
        path = section.split(SECTION_MARK) if section else []
        words = " ".join(terms.of(blob))
        yield *row, section, section_keys(path), title_terms, heading_terms, words


def term_rows(database: sqlite3.Connection) -> Iterator[Row]:
    """How many passages have each term, in any field."""
    texts = database.execute("SELECT id, term FROM terms ORDER BY term").fetchall()
    having = np.zeros(max((number for number, _ in texts), default=0) + 1, np.int64)
    for (blob,) in database.execute("SELECT terms FROM passages"):
        having[np.unique(np.frombuffer(blob, NUMBER))] += 1
    for number, term in texts:
        if count := int(having[number]):
            yield term, count


def plain_rows(database: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows of a table that is the same in both."""
    columns = ", ".join(
        "typeof(root) = 'text'" if name == "is_text" else name for name in SCHEMAS[table].names
    )
    for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY {ORDER[table]}"):
        if table == "sources":
            number, root, *others = row
            yield number, root.encode() if isinstance(root, str) else root, *map_text(others)
        else:
            yield row


def map_text(others: list[Any]) -> Iterator[Any]:
    """SQLite's truth is a number, Arrow's is not."""
    yield bool(others[0])
    yield from others[1:]


def put_plain(database: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Write rows of such a table."""
    names = [name for name in SCHEMAS[table].names if name != "is_text"]
    marks = ", ".join("?" * len(names))
    if table == "sources":
        rows = (
            (number, root.decode() if is_text else root, *others)
            for number, root, is_text, *others in rows
        )
    database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)


def _chosen(
    database: sqlite3.Connection, sql: str, numbers: Collection[int]
) -> Iterator[tuple[Any, ...]]:
    ordered = iter(sorted(numbers))
    while some := list(islice(ordered, AT_ONCE)):
        yield from database.execute(sql.format(", ".join(map(str, some)))).fetchall()
