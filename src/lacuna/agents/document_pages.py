"""A part of a document that fits into a context: cut where a person would stop reading."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.errors import LacunaError
from lacuna.types import Document, Span


def page_span(document: Document, start: int, most: int) -> Span:
    """At most so many characters from an offset on, to the end of a paragraph if there is one."""
    size = len(document.text)
    if start and start >= size:
        raise LacunaError(
            f"{document.title!r} has {size:,} characters, so it cannot be read from {start:,} on. "
            "Give a smaller start, or 0."
        )
    latest = start + most
    if latest >= size:
        return Span(start, size)
    for ends in (document.paragraphs, document.sentences):
        if (end := _last_end(ends, start + most // 2, latest)) is not None:
            return Span(start, end)
    space = document.text.rfind(" ", start + most // 2, latest)
    return Span(start, space + 1 if space >= 0 else latest)


def _last_end(spans: Iterable[Span], first: int, last: int) -> int | None:
    """The last of the ends that lie between the two; a page should be more than half full."""
    return max((span.end for span in spans if first <= span.end <= last), default=None)
