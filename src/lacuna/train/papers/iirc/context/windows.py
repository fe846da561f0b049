"""Windows of a text: how long they are, where they begin, and which holds an annotation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lacuna.models.tokenizer import TokenText
from lacuna.types import Document, Span

STRIDES = 4
"""A window begins a quarter of its length behind the one before it."""
WINDOW_START = "window_start"
"""Where a window begins in its article, among what a document has besides."""


def window_length(longest: int, question: int, links: int) -> int:
    """So many pieces that a window of each link, one of the passage and the question fit.

    >>> window_length(512, 12, 1)
    250
    """
    return max(1, (longest - question) // (links + 1))


def window_places(pieces: int, length: int) -> Iterator[tuple[int, int]]:
    """The first piece of each window, and the one behind its last.

    >>> list(window_places(10, 8))
    [(0, 8), (2, 10)]
    """
    stride = max(1, length // STRIDES)
    first = 0
    while True:
        yield first, min(first + length, pieces)
        if first + length >= pieces:
            return
        first += stride


def window_spans(tokens: TokenText, length: int) -> list[Span]:
    """The windows of a text by their characters; a text without pieces has none."""
    if not len(tokens.ids):
        return []
    return [
        Span(int(tokens.starts[first]), int(tokens.ends[last - 1]))
        for first, last in window_places(len(tokens.ids), length)
    ]


def located(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text, whatever the blanks between its words."""
    words = r"\s+".join(map(re.escape, quote.split()))
    match = re.search(words, text) if words else None
    return Span(*match.span()) if match else None


def holds(window: Span, annotations: Iterable[Span]) -> bool:
    """Whether a window has the whole of an annotation."""
    return any(window.start <= piece.start and piece.end <= window.end for piece in annotations)


def window_document(document: Document, window: Span) -> Document:
    """A window as a document that knows where it begins in its own."""
    return Document(
        document.title,
        document.text[window.start : window.end],
        extra={WINDOW_START: window.start + document.extra.get(WINDOW_START, 0)},
    )
