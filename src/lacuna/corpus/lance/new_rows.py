"""Documents as rows of the tables, made where they are read: no database numbers them.

A number tells the part of a source that a document stands in and its place there, so that many
machines number documents at once, and all in the order of the source.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lacuna.corpus.database import pack
from lacuna.corpus.document_rows import found_terms, links_in_order
from lacuna.corpus.passages import lead
from lacuna.corpus.safekeeping.damage import row_sum
from lacuna.corpus.text_index import Analyzer, joined, section_keys
from lacuna.corpus.titles import folded
from lacuna.types import Document

PLACES = 1 << 20
"""Documents that a part may have, and passages that a document may have."""


class TermCounts(NamedTuple):
    """What a store counts of its passages, for one document."""

    passages: int
    title_terms: int
    heading_terms: int
    body_terms: int


class NewRows(NamedTuple):
    """The rows of one document."""

    document: tuple[Any, ...]
    passages: list[tuple[Any, ...]]
    counts: TermCounts


def document_number(part: int, place: int) -> int:
    """The number of a document; both count from 0."""
    return part * PLACES + place + 1


def rows_of(document: Document, number: int, source: int, run: int, analyzer: Analyzer) -> NewRows:
    """What ``DocumentRows.put`` writes of a document, as the tables have it."""
    body = pack(document)
    links = links_in_order(document)
    first = lead(document)
    row = (
        *(number, source, "", run),
        document.title,
        folded(document.title),
        body,
        *first,
        [target for _, target in links],
        sum(start < first.end for start, _ in links),
        row_sum(source, "", run, document.title, body),
    )
    passages: list[tuple[Any, ...]] = []
    title_terms = heading_terms = body_terms = 0
    for place, found in enumerate(found_terms(document, analyzer)):
        title_terms += len(found.title)
        heading_terms += len(found.headings)
        body_terms += len(found.body)
        passages.append(
            (
                *(number * PLACES + place, number, document.title, *found.span),
                joined(found.path),
                section_keys(found.path),
                len(found.title),
                len(found.headings),
                " ".join((*found.title, *found.headings, *found.body)),
            )
        )
    counts = TermCounts(len(passages), title_terms, heading_terms, body_terms)
    return NewRows(row, passages, counts)
