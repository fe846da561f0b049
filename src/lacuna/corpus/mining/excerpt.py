"""Cut parts out of a document, with their sentences, links, paragraphs and sections."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from lacuna.corpus.mining.link_graph import Resolve
from lacuna.types import Document, Link, Span

Piece = TypeVar("Piece", Span, Link)


class Cutter:
    """Cuts many parts out of one document; each costs no more than what lies in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences = _ByStart(document.sentences)
        self._links = _ByStart(document.links)
        self._paragraphs = _ByStart(document.paragraphs)

    def cut(self, span: Span) -> Document:
        """A document of its own from ``text[start:end]``; its offsets count from there.

        Sentences, links and paragraphs that do not lie wholly inside are left out; sections that
        reach over its ends are cut off there. Where the part begins in the whole document is for
        the caller to keep.
        """
        start, end = span
        return Document(
            self._document.title,
            self._document.text[start:end],
            tuple(Span(a - start, b - start) for a, b in self._sentences.inside(span)),
            tuple(
                replace(link, start=link.start - start, end=link.end - start)
                for link in self._links.inside(span)
            ),
            tuple(Span(a - start, b - start) for a, b in self._paragraphs.inside(span)),
            tuple(
                replace(
                    section,
                    start=max(section.start, start) - start,
                    end=min(section.end, end) - start,
                )
                for section in self._document.sections
                if section.start < end and section.end > start
            ),
        )


class _ByStart(Generic[Piece]):
    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces: list[Piece] = sorted(pieces, key=lambda piece: piece.start)
        self._starts: list[int] = [piece.start for piece in self._pieces]

    def inside(self, span: Span) -> Iterator[Piece]:
        first = bisect_left(self._starts, span.start)
        last = bisect_right(self._starts, span.end)
        return (piece for piece in self._pieces[first:last] if piece.end <= span.end)


def paragraphs_of(document: Document) -> tuple[Span, ...]:
    """The paragraphs that are not blank; a document that knows of none is one paragraph."""
    spans = document.paragraphs or (Span(0, len(document.text)),)
    return tuple(span for span in spans if document.text[span.start : span.end].strip())


def first_paragraph(document: Document) -> Document:
    """What HotpotQA's graph and a QuAC student see of an article; empty if there is no text."""
    return Cutter(document).cut(next(iter(paragraphs_of(document)), Span(0, 0)))


def other_articles(document: Document, resolve: Resolve | None = None) -> list[str]:
    """The titles that a document links to, each once, in order; links to itself do not count.

    With ``resolve``, these are the titles of the documents that the links lead to, and links
    that lead nowhere do not count.
    """
    targets = (link.target for link in document.links)
    titles = targets if resolve is None else map(resolve, targets)
    return [title for title in dict.fromkeys(titles) if title and title != document.title]
