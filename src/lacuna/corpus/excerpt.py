"""Parts of a document as a document of its own, and the way back to where they stand in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from lacuna.types import Document, Evidence, Link, Section, Span

GAP = "\n"
Placed = TypeVar("Placed", Span, Link)
Joint = Callable[[str, str], str]
"""From the text so far and the next piece to what goes between the two."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """``pieces`` of the original in their order; ``starts`` say where each begins in the excerpt.

    >>> page = Document("Ferry", "It sails. It is old. It is red.")
    >>> short = Excerpt.of(page, [Span(21, 31), Span(0, 9)])
    >>> short.document.text, short.place(10, 12)
    ('It sails.\\nIt is red.', Span(start=21, end=23))
    """

    document: Document
    original: Document
    pieces: tuple[Span, ...]
    starts: tuple[int, ...]
    sentences: tuple[int, ...]
    """The number in the original of each sentence of the excerpt."""

    @classmethod
    def of(cls, original: Document, spans: Iterable[tuple[int, int]]) -> Excerpt:
        """The excerpt of these spans; those that touch become one piece."""
        return Cutter(original).cut(spans)

    def place(self, start: int, end: int) -> Span:
        """Where a span of the excerpt stands in the original.

        A span that reaches beyond a piece, into the gap behind it, ends with the piece.
        """
        first = self._place(start, start)
        return Span(first, max(first, self._place(end, max(start, end - 1))))

    def evidence(self, evidence: Evidence) -> Evidence:
        """Evidence in the excerpt as evidence in the original."""
        start, end = self.place(evidence.start, evidence.end)
        return replace(evidence, document=self.original.title, start=start, end=end)

    def _place(self, position: int, within: int) -> int:
        """The original's place for a position, by the piece that holds ``within``."""
        number = max(bisect_right(self.starts, within) - 1, 0)
        piece = self.pieces[number]
        return min(piece.start + position - self.starts[number], piece.end)


class Cutter:
    """Cuts many excerpts out of one document; each costs no more than what lies in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences = _ByStart(document.sentences)
        self._links = _ByStart(document.links)
        self._paragraphs = _ByStart(document.paragraphs)

    def cut(self, spans: Iterable[tuple[int, int]]) -> Excerpt:
        """An excerpt of these spans; those with nothing but space between them become one piece.

        Sentences, links and paragraphs that do not lie wholly inside a piece are left out;
        sections that reach over its ends are cut off there.
        """
        pieces = _merged(self._document.text, spans)
        sentences = [self._sentences.inside(piece) for piece in pieces]
        return self._excerpt(pieces, sentences, lambda *_: GAP)

    def cut_sentences(self, numbers: Iterable[int], joint: Joint) -> Excerpt:
        """An excerpt of the sentences with these numbers, each a piece of its own."""
        chosen = list(numbers)
        pieces = [self._document.sentences[number] for number in chosen]
        return self._excerpt(pieces, [[number] for number in chosen], joint)

    def _excerpt(
        self, pieces: Sequence[Span], sentences: Sequence[Sequence[int]], joint: Joint
    ) -> Excerpt:
        whole = self._document
        text = ""
        starts: list[int] = []
        spans: list[Span] = []
        links: list[Link] = []
        paragraphs: list[Span] = []
        sections: list[Section] = []
        for piece, inside in zip(pieces, sentences, strict=True):
            part = whole.text[piece.start : piece.end]
            text += joint(text, part) if starts else ""
            shift = len(text) - piece.start
            starts.append(len(text))
            text += part
            spans += _shifted((whole.sentences[number] for number in inside), shift)
            paragraphs += _shifted(self._paragraphs.items_inside(piece), shift)
            links += (
                replace(link, start=link.start + shift, end=link.end + shift)
                for link in self._links.items_inside(piece)
            )
            sections += (
                replace(
                    section,
                    start=max(section.start, piece.start) + shift,
                    end=min(section.end, piece.end) + shift,
                )
                for section in whole.sections
                if section.start < piece.end and section.end > piece.start
            )
        document = Document(
            whole.title, text, tuple(spans), tuple(links), tuple(paragraphs), tuple(sections)
        )
        numbers = tuple(number for inside in sentences for number in inside)
        return Excerpt(document, whole, tuple(pieces), tuple(starts), numbers)


class _ByStart(Generic[Placed]):
    """Finds what lies inside a span without looking at all the rest."""

    def __init__(self, items: Sequence[Placed]) -> None:
        self._items: Sequence[Placed] = items
        self._order = sorted(range(len(items)), key=lambda number: items[number].start)
        self._starts = [items[number].start for number in self._order]

    def inside(self, span: Span) -> list[int]:
        """The numbers of the items that lie wholly inside, in the document's own order."""
        first = bisect_left(self._starts, span.start)
        last = bisect_right(self._starts, span.end)
        return sorted(
            number for number in self._order[first:last] if self._items[number].end <= span.end
        )

    def items_inside(self, span: Span) -> Iterator[Placed]:
        return (self._items[number] for number in self.inside(span))


def _shifted(spans: Iterable[Span], by: int) -> Iterator[Span]:
    return (Span(start + by, end + by) for start, end in spans)


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1].end : start].strip():
            merged[-1] = Span(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Span(start, end))
    return merged
