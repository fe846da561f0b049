"""The passages of a document that a search finds: a few paragraphs each, or a part of a long one.

A passage is about as long as what a reader is given at once. Short paragraphs, list items and table
rows go with their neighbours; a heading goes with what follows it, and so does a line that leads in
("The options are:"). No passage goes on under another heading, unless there was hardly a line yet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from lacuna.types import Document, Section, Span

LONGEST = 500
"""Characters of a passage (benchmarks/results/finding.md: what other lengths find)."""
TINY = 120
"""Fewer characters are never left to themselves while something follows under the same heading."""
LEAD_IN = LONGEST // 3
"""A paragraph of at most so many characters that ends with a colon goes with what follows it."""


def passages(document: Document) -> Iterator[Span]:
    """Spans to index, one after the other, of the whole text; only blank ones are left out."""
    text = document.text
    cutter = _Cutter(document)
    under: tuple[str, ...] = ()
    start = last = end = 0  # the passage under way, and where its last paragraph begins
    for paragraph, path in _paragraphs(document):
        tiny = end - start < TINY
        goes_on = end > start and (path == under or (tiny and path[: len(under)] == under))
        if goes_on and paragraph.end - start <= LONGEST:
            last, end, under = paragraph.start, paragraph.end, path
            continue
        if not goes_on:
            kept = end
        elif tiny:
            kept = start
        else:
            kept = last if _leads_in(text, last, end) else end
        yield from _unless_blank(text, start, kept)
        *whole, rest = cutter.parts(kept, paragraph.end)
        yield from whole
        start, end = rest
        last, under = max(start, paragraph.start), path
    yield from _unless_blank(text, start, end)


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


def _paragraphs(document: Document) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """All of the text by paragraphs, with the headings above each.

    What stands outside every paragraph (a heading, a caption) goes with what follows it; what
    follows the last one and is short, with that.
    """
    sections = SectionFinder(document)
    size = len(document.text)
    start = 0
    ends = sorted({paragraph.end for paragraph in document.paragraphs if paragraph.end > 0})
    if ends and size - ends[-1] < TINY:
        ends[-1] = size
    elif not ends or ends[-1] < size:
        ends.append(size)
    for end in ends:
        section = sections.at(end - 1)
        yield Span(start, end), section.path if section else ()
        start = end


def _leads_in(text: str, start: int, end: int) -> bool:
    return end - start <= LEAD_IN and text[start:end].rstrip().endswith(":")


def _unless_blank(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield Span(start, end)


class _Cutter:
    """Cuts what is too long where a sentence or a line begins, into parts of about one length."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: list[int] | None = None

    def parts(self, start: int, end: int) -> Iterator[Span]:
        """The parts of a stretch of the text; at least one, and all of them together are it."""
        while (rest := end - start) > LONGEST:
            count = -(-rest // LONGEST)
            stop = self._near(start + rest // count, start + LONGEST // 4, start + LONGEST)
            yield Span(start, stop)
            start = stop
        yield Span(start, end)

    def _near(self, wanted: int, least: int, most: int) -> int:
        breaks = self._breaks()
        place = bisect_left(breaks, wanted)
        near = [at for at in breaks[max(place - 1, 0) : place + 1] if least <= at <= most]
        if near:
            return min(near, key=lambda at: abs(at - wanted))
        space = self._document.text.rfind(" ", least, most)
        return most if space < 0 else space + 1

    def _breaks(self) -> list[int]:
        if self._found is None:  # most documents have no paragraph that is too long
            text = self._document.text
            breaks = {sentence.start for sentence in self._document.sentences}
            at = text.find("\n")
            while at >= 0:
                breaks.add(at + 1)
                at = text.find("\n", at + 1)
            self._found = sorted(breaks)
        return self._found


class SectionFinder:
    """Which section a place is in: the innermost one, or None above the first heading."""

    def __init__(self, document: Document) -> None:
        self._sections = sorted(
            document.sections, key=lambda section: (section.start, -section.end)
        )
        self._starts = [section.start for section in self._sections]
        self._around = _around(self._sections)

    def at(self, place: int) -> Section | None:
        """The section that holds a character."""
        number = bisect_right(self._starts, place) - 1
        while number >= 0 and self._sections[number].end <= place:
            number = self._around[number]
        return self._sections[number] if number >= 0 else None


def _around(sections: Sequence[Section]) -> list[int]:
    """For each section the last one before it that ends later, or -1.

    The ones between them end before both: a document may have very many, and empty ones at that.
    """
    around: list[int] = []
    for number, section in enumerate(sections):
        other = number - 1
        while other >= 0 and sections[other].end <= section.end:
            other = around[other]
        around.append(other)
    return around
