"""The passages of a document that a search finds, and excerpts of a document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from lacuna.types import Document, Evidence, Link, Section, Span

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
    """The place of the first paragraph: all of a text whose paragraphs are not known."""
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
    """Find the section that a place is in: the innermost one, or None above the first heading."""

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


def headings_above(document: Document, place: int) -> tuple[str, ...]:
    """The title and the headings that a character stands under; none above the first heading."""
    section = SectionFinder(document).at(place)
    return section.path if section else ()


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
        """The place of a span of the excerpt in the original.

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
