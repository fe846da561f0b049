"""The passages of a document that a search finds: its paragraphs, split where they are too long."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from lacuna.types import Document, Section, Span

LONGEST = 8000
"""Characters; a longer paragraph is split, so that a hit says where to look."""


def passages(document: Document) -> Iterator[Span]:
    """Spans to index: all paragraphs, or the whole text where none are known.

    What stands outside every paragraph (a heading, a caption) goes with what follows it.
    """
    start = 0
    size = len(document.text)
    for paragraph in sorted(document.paragraphs):
        if paragraph.end > start:
            yield from _parts(document, Span(start, paragraph.end))
            start = paragraph.end
    if start < size:
        yield from _parts(document, Span(start, size))


def lead(document: Document) -> Span:
    """Where the first paragraph is: all of a text whose paragraphs are not known."""
    return document.paragraphs[0] if document.paragraphs else Span(0, len(document.text))


def split_long(text: str, span: Span, longest: int, *, trailing_space: bool) -> Iterator[Span]:
    """A span in parts of at most so many characters, split at spaces; a blank rest is left out.

    The space at a split ends the part before it, with ``trailing_space``, or begins the next.
    """
    start, end = span
    while end - start > longest:
        space = text.rfind(" ", start + longest // 2, start + longest)
        stop = start + longest if space < 0 else space + trailing_space
        yield Span(start, stop)
        start = stop
    if text[start:end].strip():
        yield Span(start, end)


def _parts(document: Document, span: Span) -> Iterator[Span]:
    return split_long(document.text, span, LONGEST, trailing_space=True)


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
