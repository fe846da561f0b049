"""Questions from headings that are questions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.types import Document, Span

_ASKS = re.compile(
    r"(?:how|what|when|where|which|who|why|can|could|do|does|did|is|are|was|were|has|should|will)"
    r" \S+ .*\?$",
    re.IGNORECASE,
)


def from_headings(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions that the sections of a document answer, each with its section."""
    for section in document.sections:
        heading = " ".join(section.path[-1].split()) if section.path else ""
        if _ASKS.match(heading):
            yield heading, Span(section.start, section.end)
