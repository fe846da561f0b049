"""Whether what a store derived from its documents is what would be derived today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lacuna.corpus.document_rows import NUMBER, found_terms, links_in_order
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.passages import lead
from lacuna.corpus.safekeeping.damage import reason_of
from lacuna.corpus.text_index import Analyzer, joined
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
