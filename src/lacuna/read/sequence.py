"""One input of the model, and the way back from its tokens to the documents' characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lacuna.read.tokens import Covers, Ints, Pieces, TokenText
from lacuna.types import Document, Evidence, Span

MAX_TOKENS = 512
MARKED_TURNS = 3
"""Earlier answers of a dialog that are marked in the text, by how many turns ago they were."""


class TextPlace(NamedTuple):
    """Where a stretch of characters stands in the input: first and last token, both inclusive."""

    first: int
    last: int


class Stretch(NamedTuple):
    """Tokens ``first`` to ``last`` (exclusive) of one document, put in at position ``at``."""

    document: int
    first: int
    last: int
    at: int

    def holds(self, covers: Covers) -> Iterator[tuple[int, TextPlace]]:
        """Which of many places in the document it holds whole, and where in the input they are."""
        first, last = covers
        inside = (self.first <= first) & (first <= last) & (last < self.last)
        shift = self.at - self.first
        for index in np.flatnonzero(inside).tolist():
            yield index, TextPlace(int(first[index]) + shift, int(last[index]) + shift)


@dataclass(frozen=True)
class Reading:
    """A question's tokens and those of its documents; all its inputs share them."""

    question: TokenText
    documents: tuple[Document, ...]
    tokens: tuple[TokenText, ...]
    titles: tuple[TokenText, ...]
    marked: tuple[tuple[int, Span, int], ...] = ()
    """Earlier answers: document, characters, how many turns ago."""

    @cached_property
    def sentences(self) -> tuple[Covers, ...]:
        """The first and last token of each sentence, one pair of arrays a document.

        Looked up once for all windows, so that a long text does not cost its square.
        """
        pairs = zip(self.documents, self.tokens, strict=True)
        return tuple(tokens.covers(document.sentences) for document, tokens in pairs)


@dataclass(frozen=True, slots=True)
class Input:
    """Token ids with the marks of earlier answers; ``stretches`` say what text is where."""

    reading: Reading
    ids: Ints
    marks: Ints
    question: TextPlace
    stretches: tuple[Stretch, ...]

    def places(self, document: int, start: int, end: int) -> Iterator[TextPlace]:
        """Where these characters of a document stand, if this input holds them all."""
        cover = self.reading.tokens[document].cover(start, end)
        if cover is None:
            return
        for stretch in self.stretches:
            if (
                stretch.document == document
                and stretch.first <= cover[0] <= cover[1] < stretch.last
            ):
                shift = stretch.at - stretch.first
                yield TextPlace(cover[0] + shift, cover[1] + shift)

    def quote(self, first: int, last: int) -> tuple[str, Evidence] | None:
        """The text that tokens ``first`` to ``last`` stand for, if it lies in one document."""
        for stretch in self.stretches:
            if stretch.at <= first <= last < stretch.at + stretch.last - stretch.first:
                shift = stretch.first - stretch.at
                tokens = self.reading.tokens[stretch.document]
                start, end = int(tokens.starts[first + shift]), int(tokens.ends[last + shift])
                document = self.reading.documents[stretch.document]
                return document.text[start:end], Evidence(document.title, start, end)
        return None


def build(
    pieces: Pieces,
    reading: Reading,
    head: Sequence[int],
    parts: Iterable[tuple[int, int, int]],
) -> Input:
    """Put ``head``, the question and parts (document, first token, end) into one input."""
    ids = [pieces.begin, *head]
    asked = reading.question.ids.tolist()
    place = TextPlace(len(ids), len(ids) + len(asked) - 1)
    ids += [*asked, pieces.separator]
    stretches = []
    for document, first, last in parts:
        ids += [pieces.document, *reading.titles[document].ids.tolist(), pieces.text]
        stretches.append(Stretch(document, first, last, len(ids)))
        ids += reading.tokens[document].ids[first:last].tolist()
    ids.append(pieces.separator)
    marks = np.zeros(len(ids), np.int32)
    made = Input(reading, np.array(ids, np.int32), marks, place, tuple(stretches))
    for document, span, ago in sorted(reading.marked, key=lambda one: -one[2]):
        for stretch in made.stretches:
            if stretch.document == document:
                _mark(marks, reading.tokens[document], stretch, span, ago)
    return made


def _mark(marks: Ints, tokens: TokenText, stretch: Stretch, span: Span, ago: int) -> None:
    """Mark what of an earlier answer lies in this stretch, even if that is a part of it."""
    if (cover := tokens.cover(span.start, span.end)) is None:
        return
    first, last = max(cover[0], stretch.first), min(cover[1], stretch.last - 1)
    if first <= last:
        shift = stretch.at - stretch.first
        marks[first + shift : last + shift + 1] = ago
