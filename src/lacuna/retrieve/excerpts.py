"""Pieces of a document as a document of its own, and the way back to the places they have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from lacuna.types import Document, Evidence, Link, Span

GAP = "\n"


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
    links: tuple[int, ...]

    @classmethod
    def of(cls, original: Document, spans: Iterable[tuple[int, int]]) -> Excerpt:
        """The excerpt of these segments; those that touch become one."""
        pieces = _merged(original.text, spans)
        starts: list[int] = []
        at = 0
        for piece in pieces:
            starts.append(at)
            at += piece.end - piece.start + len(GAP)
        sentences: list[tuple[int, Span]] = []
        links: list[tuple[int, Link]] = []
        for piece, start in zip(pieces, starts, strict=True):
            shift = start - piece.start
            sentences += [
                (number, Span(one.start + shift, one.end + shift))
                for number, one in enumerate(original.sentences)
                if piece.start <= one.start and one.end <= piece.end
            ]
            links += [
                (number, Link(one.start + shift, one.end + shift, one.target, one.fragment))
                for number, one in enumerate(original.links)
                if piece.start <= one.start and one.end <= piece.end
            ]
        document = Document(
            original.title,
            GAP.join(original.text[start:end] for start, end in pieces),
            tuple(span for _, span in sentences),
            tuple(link for _, link in links),
        )
        return cls(
            document,
            original,
            tuple(pieces),
            tuple(starts),
            tuple(number for number, _ in sentences),
            tuple(number for number, _ in links),
        )

    def place(self, start: int, end: int) -> Span:
        """Where a stretch of the excerpt stands in the original."""
        first = self._place(start)
        return Span(first, max(first, self._place(max(start, end - 1)) + (end > start)))

    def evidence(self, evidence: Evidence) -> Evidence:
        """Evidence in the excerpt, told as evidence in the original."""
        start, end = self.place(evidence.start, evidence.end)
        return Evidence(self.original.title, start, end, evidence.role, evidence.score)

    def _place(self, position: int) -> int:
        index = max(bisect_right(self.starts, position) - 1, 0)
        piece = self.pieces[index]
        return min(piece.start + position - self.starts[index], piece.end)


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1].end : start].strip():
            merged[-1] = Span(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Span(start, end))
    return merged
