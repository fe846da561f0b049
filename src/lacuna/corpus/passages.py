"""The pieces of a document that a search finds: its paragraphs, cut where they are too long."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from lacuna.types import Document, Section, Span

LONGEST = 8000
"""Characters; a longer paragraph is cut, so that a hit says where to look."""


def passages(document: Document) -> Iterator[Span]:
    """Spans to index: all paragraphs, or the whole text where none are known.

    What stands outside every paragraph (a heading, a caption) goes with what follows it.
    """
    start = 0
    size = len(document.text)
    for paragraph in sorted(document.paragraphs):
        if paragraph.end > start:
            yield from _cut(document, Span(start, paragraph.end))
            start = paragraph.end
    if start < size:
        yield from _cut(document, Span(start, size))


def lead(document: Document) -> Span:
    """Where the first paragraph is: all of a text whose paragraphs are not known."""
    return document.paragraphs[0] if document.paragraphs else Span(0, len(document.text))


def _cut(document: Document, span: Span) -> Iterator[Span]:
    text = document.text
    start, end = span
    while end - start > LONGEST:
        near = start + LONGEST
        space = text.rfind(" ", start + LONGEST // 2, near)
        stop = near if space < 0 else space + 1
        yield Span(start, stop)
        start = stop
    if text[start:end].strip():
        yield Span(start, end)


class SectionFinder:
    """Which section a place is in: the innermost one, or None above the first heading."""

    def __init__(self, document: Document) -> None:
        self._sections = sorted(
            document.sections, key=lambda section: (section.start, -section.end)
        )
        self._starts = [section.start for section in self._sections]

    def at(self, place: int) -> Section | None:
        """The section that holds a character."""
        for number in range(bisect_right(self._starts, place) - 1, -1, -1):
            if place < self._sections[number].end:
                return self._sections[number]
        return None
