"""What stands around a place in a document: its sentence, its line, and the list it belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from lacuna.types import Document, Span


def holder(spans: Sequence[Span], place: int) -> int | None:
    """The number of the span that a place lies in; spans ascend."""
    at = bisect_right(spans, place, key=lambda span: span.start) - 1
    return at if at >= 0 and place < spans[at].end else None


def sentence_at(document: Document, place: int) -> Span:
    """The sentence that a place lies in; the line where sentences are not known."""
    at = holder(document.sentences, place)
    if at is not None:
        return document.sentences[at]
    lines = lines_of(document)
    line = holder(lines, place)
    return lines[line] if line is not None else Span(place, place)


def lines_of(document: Document) -> Sequence[Span]:
    """Paragraphs, items and rows; the written lines where the document does not know them."""
    if document.paragraphs:
        return document.paragraphs
    lines, start = [], 0
    for line in document.text.split("\n"):
        if line.strip():
            lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines


def items_around(document: Document, lines: Sequence[Span], line: int) -> range:
    """The numbers of the lines that follow each other without an empty line, and this one with
    them: items of a list or rows of a table stand so."""
    text = document.text
    first = last = line
    while first and text[lines[first - 1].end : lines[first].start].count("\n") == 1:
        first -= 1
    while last + 1 < len(lines) and text[lines[last].end : lines[last + 1].start].count("\n") == 1:
        last += 1
    return range(first, last + 1)


def trimmed(text: str, span: Span, signs: str) -> Span:
    """A span without the signs at its ends."""
    start, end = span
    while start < end and text[start] in signs:
        start += 1
    while end > start and text[end - 1] in signs:
        end -= 1
    return Span(start, end)
