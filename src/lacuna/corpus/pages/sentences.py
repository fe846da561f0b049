"""Sentence spans, by Punkt with a pretrained English model (``nupunkt``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from lacuna.types import Span

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

SENTENCE_MAY_END = re.compile(r"[.!?…]\S{0,9}\s")
"""Where no such place is, there is one sentence: most headings, table cells and list items."""

UNBROKEN = re.compile(r"\S{500,}|\s{100,}")
"""Runs that are no language; the splitter's time grows with the square of their length."""

LONGEST_PIECE = 20_000
"""Characters given to the splitter at once, so that no paragraph can hold it up."""


def sentence_spans(text: str, paragraphs: Iterable[Span]) -> tuple[Span, ...]:
    """The sentences of the paragraphs, without the space around them.

    >>> sentence_spans("Dr. Voss sails. She is old.", [Span(0, 27)])
    (Span(start=0, end=15), Span(start=16, end=27))
    """
    return tuple(span for paragraph in paragraphs for span in _split(text, paragraph))


def _split(text: str, paragraph: Span) -> Iterator[Span]:
    start, end = paragraph
    if not SENTENCE_MAY_END.search(text, start, end):
        yield from _trimmed(text, start, end)
        return
    splitter = _splitter()
    for piece_start, piece_end in _pieces(text, start, end):
        for first, last in splitter.spans(text[piece_start:piece_end]):
            yield Span(piece_start + first, piece_start + last)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What the splitter may see at once; a run that is no language stands outside of it."""
    if end - start <= 100:
        yield start, end
        return
    for run in UNBROKEN.finditer(text, start, end):
        yield from _short_pieces(text, start, run.start())
        start = run.end()
    yield from _short_pieces(text, start, end)


def _short_pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_PIECE:
        cut = text.rfind(" ", start, start + LONGEST_PIECE)
        cut = cut if cut > start else start + LONGEST_PIECE
        yield start, cut
        start = cut
    yield start, end


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if stripped := piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        yield Span(first, first + len(stripped))


@cache
def _splitter() -> PunktSentenceTokenizer:
    # Imported here because most of the program never splits a sentence.
    from nupunkt import load

    return load("default")
