"""The rows of a document in the database of a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from lacuna.corpus.database import pack, row_sum
from lacuna.corpus.passages import SectionFinder, lead, passages
from lacuna.corpus.text_index import Analyzer, IndexedPassage, heading_text, joined, searched, valid
from lacuna.corpus.titles import folded
from lacuna.types import Document, Span

NUMBER = np.dtype("<u4")
"""The form of numbers of names and terms, on every machine."""

MOST_NUMBERS = 500_000
"""Names or terms remembered while writing; the database knows the others."""


class DocumentRows:
    """Writes and removes documents inside the transaction of the writer."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._analyzer = Analyzer()
        self._names = _Numbers(database, "names", "name")
        self._terms = _Numbers(database, "terms", "term")

    def put(
        self, document: Document, source: int = 0, path: str = "", run: int = 0
    ) -> list[IndexedPassage]:
        """Write a document in place of whatever had its title, or was the same page before.

        Says what the index must learn.
        """
        body = pack(document)  # first, because it may refuse
        self.remove(document.title)
        if path:
            self.remove_page(source, path)
        links = links_in_order(document)
        first = lead(document)
        number = self._database.execute(
            "INSERT INTO documents (source, path, run, title, folded, body, lead_start, lead_end, "
            "links, lead_links, sum) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(source, path, run),
                document.title,
                folded(document.title),
                body,
                *first,
                self._names.of(target for _, target in links),
                sum(start < first.end for start, _ in links),
                row_sum(source, path, run, document.title, body),
            ),
        ).lastrowid
        assert number is not None
        self._database.execute("INSERT INTO unindexed VALUES (?)", (number,))
        return list(self._put_passages(number, document))

    def put_row(self, row: tuple[Any, ...]) -> None:
        """Write a document of another store, with what its links point to as a list of texts."""
        *document, links, lead_links, checksum = row
        self._database.execute(
            "INSERT INTO documents (id, source, path, run, title, folded, body, lead_start, "
            "lead_end, links, lead_links, sum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (*document, self._names.of(links), lead_links, checksum),
        )

    def put_passage_row(self, row: tuple[Any, ...]) -> None:
        """Write a passage of another store, with its terms as words."""
        number, document, _, start, end, section, title_terms, heading_terms, words = row
        self._database.execute(
            'INSERT INTO passages (id, document, start, "end", section, title_terms, '
            "heading_terms, terms) VALUES (?,?,?,?,?,?,?,?)",
            (
                *(number, document, start, end, section, title_terms, heading_terms),
                self._terms.of(words.split()),
            ),
        )

    def has_document(self, title: str) -> bool:
        """Tell if there is a document of exactly this title."""
        sql = "SELECT 1 FROM documents WHERE title = ?"
        return self._database.execute(sql, (title,)).fetchone() is not None

    def is_page(self, title: str) -> bool:
        """Tell if there is a document of this title that is known by its path."""
        sql = "SELECT 1 FROM documents WHERE title = ? AND path != ''"
        return self._database.execute(sql, (title,)).fetchone() is not None

    def remove(self, title: str) -> bool:
        """Remove a document or redirect; False if there is none of this title."""
        row = self._database.execute(
            "SELECT id FROM documents WHERE title = ?", (title,)
        ).fetchone()
        if row is None:
            gone = self._database.execute("DELETE FROM redirects WHERE title = ?", (title,))
            return gone.rowcount > 0
        self._remove(row[0])
        return True

    def remove_page(self, source: int, path: str) -> None:
        """Remove the document of a page, if there is one."""
        sql = "SELECT id FROM documents WHERE source = ? AND path = ?"
        for (number,) in self._database.execute(sql, (source, path)).fetchall():
            self._remove(number)

    def remove_older(self, source: int, run: int) -> int:
        """Remove what an earlier run over a source brought, and the present one did not."""
        sql = "SELECT id FROM documents WHERE source = ? AND path = '' AND run < ?"
        old = self._database.execute(sql, (source, run)).fetchall()
        for (number,) in old:
            self._remove(number)
        return len(old)

    def _remove(self, number: int) -> None:
        row = (number,)
        count, title_terms, heading_terms, size = self._database.execute(
            "SELECT count(*), coalesce(sum(title_terms), 0), coalesce(sum(heading_terms), 0), "
            "coalesce(sum(length(terms)), 0) FROM passages WHERE document = ?",
            row,
        ).fetchone()
        body_terms = size // NUMBER.itemsize - title_terms - heading_terms
        self._count(-count, -title_terms, -heading_terms, -body_terms)
        self._database.execute("DELETE FROM passages WHERE document = ?", row)
        self._database.execute("DELETE FROM documents WHERE id = ?", row)
        self._database.execute("DELETE FROM unindexed WHERE document = ?", row)
        self._database.execute("INSERT OR IGNORE INTO stale VALUES (?)", row)

    def stored_passages(self, number: int, document: Document) -> Iterator[IndexedPassage]:
        """The passages that the index must learn of a document that is in the database already."""
        rows = self._database.execute(
            'SELECT id, start, "end" FROM passages WHERE document = ? ORDER BY id', (number,)
        )
        sections = SectionFinder(document)
        for passage, start, end in rows:
            span = Span(start, end)
            yield _to_index(passage, number, document, span, section_of(sections, span))

    def _put_passages(self, number: int, document: Document) -> Iterator[IndexedPassage]:
        count = title_terms = heading_terms = body_terms = 0
        for found in found_terms(document, self._analyzer):
            passage = self._database.execute(
                'INSERT INTO passages (document, start, "end", section, title_terms, '
                "heading_terms, terms) VALUES (?,?,?,?,?,?,?)",
                (
                    number,
                    *found.span,
                    joined(found.path),
                    len(found.title),
                    len(found.headings),
                    self._terms.of((*found.title, *found.headings, *found.body)),
                ),
            ).lastrowid
            assert passage is not None
            count += 1
            title_terms += len(found.title)
            heading_terms += len(found.headings)
            body_terms += len(found.body)
            yield _to_index(passage, number, document, found.span, found.path)
        self._count(count, title_terms, heading_terms, body_terms)

    def _count(self, passages: int, title_terms: int, heading_terms: int, body_terms: int) -> None:
        self._database.executemany(
            "UPDATE counts SET value = value + ? WHERE name = ?",
            [
                (passages, "passages"),
                (title_terms, "title_terms"),
                (heading_terms, "heading_terms"),
                (body_terms, "body_terms"),
            ],
        )


class FoundPassage(NamedTuple):
    """A passage, the headings above it, and the terms of title, headings and text."""

    span: Span
    path: tuple[str, ...]
    title: list[str]
    headings: list[str]
    body: list[str]


def found_terms(document: Document, analyzer: Analyzer) -> Iterator[FoundPassage]:
    """The passages of a document with their terms."""
    title = analyzer.terms(searched(document.title))
    sections = SectionFinder(document)
    above: dict[tuple[str, ...], list[str]] = {}  # the terms of the headings
    for span in passages(document):
        path = section_of(sections, span)
        if path not in above:
            above[path] = analyzer.terms(heading_text(document.title, path))
        body = analyzer.terms(document.text[span.start : span.end])
        yield FoundPassage(span, path, title, above[path], body)


def links_in_order(document: Document) -> list[tuple[int, str]]:
    """The beginnings of links, and their targets."""
    return sorted(
        (link.start, valid(link.target)) for link in document.links if link.target.strip()
    )


def section_of(sections: SectionFinder, span: Span) -> tuple[str, ...]:
    """The headings above a passage.

    Its last character tells: a heading before the paragraph came along with it.
    """
    section = sections.at(span.end - 1)
    return section.path if section else ()


def _to_index(
    passage: int, number: int, document: Document, span: Span, path: tuple[str, ...]
) -> IndexedPassage:
    return IndexedPassage(passage, number, document.title, path, document.text[slice(*span)])


class _Numbers:
    """A number for every name or term, the same for ever."""

    def __init__(self, database: sqlite3.Connection, table: str, column: str) -> None:
        self._database = database
        self._known: dict[str, int] = {}
        columns, values = (f"{column}, folded", "?, ?") if table == "names" else (column, "?")
        self._folded = table == "names"
        self._find = f"SELECT id FROM {table} WHERE {column} = ?"
        self._insert = f"INSERT INTO {table} ({columns}) VALUES ({values})"

    def of(self, texts: Iterable[str]) -> bytes:
        """The numbers of some texts, one after the other, as bytes."""
        known = self._known
        if len(known) > MOST_NUMBERS:
            known.clear()
        numbers = [known.get(text) or self._number(text) for text in texts]
        return np.array(numbers, NUMBER).tobytes()

    def _number(self, text: str) -> int:
        row = self._database.execute(self._find, (text,)).fetchone()
        if row is None:
            values = (text, folded(text)) if self._folded else (text,)
            number = self._database.execute(self._insert, values).lastrowid
            assert number is not None
        else:
            number = row[0]
        self._known[text] = number
        return number
