"""Names in a text, found by their capitals: what a link might be on, where none is marked."""

from __future__ import annotations

import re
from collections.abc import Collection

from lacuna.types import Span

NAME = re.compile(r"[A-Z][\w'’-]*(?: (?:of|the|and|de|von) [A-Z][\w'’-]*| [A-Z][\w'’-]*)*")


def other_names(text: str, taken: Collection[Span]) -> list[Span]:
    """All names that do not touch any of the given places.

    >>> [span for span in other_names("Ada met Ellen Voss.", [Span(0, 3)])]
    [Span(start=8, end=18)]
    """
    names = [Span(*match.span()) for match in NAME.finditer(text)]
    return [n for n in names if not any(n.start < t.end and t.start < n.end for t in taken)]
