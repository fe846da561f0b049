"""Whether a text stands in another as whole tokens: "Osk" does not stand in "Oskhaven".

A number is one token with the points and commas inside it, a word with its hyphens; an apostrophe
ends a word, so that "the ship's" has "the ship". Everything else is a token by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.types import Span

TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*|\w+|\S")


def token_count(text: str) -> int:
    """How many tokens a text has."""
    return sum(1 for _ in TOKEN.finditer(text))


def whole_places(text: str, part: str) -> Iterator[Span]:
    """Where a part stands in a text as whole tokens.

    >>> list(whole_places("Oskhaven on Osk, 1,897 people", "Osk"))
    [Span(start=12, end=15)]
    >>> list(whole_places("1,897 people", "897"))
    []
    """
    if not part:
        return
    edges: tuple[set[int], set[int]] | None = None
    at = text.find(part)
    while at >= 0:
        if edges is None:
            tokens = [token.span() for token in TOKEN.finditer(text)]
            edges = {start for start, _ in tokens}, {end for _, end in tokens}
        if at in edges[0] and at + len(part) in edges[1]:
            yield Span(at, at + len(part))
        at = text.find(part, at + 1)


def stands_whole(text: str, part: str) -> bool:
    """Whether a part stands somewhere in a text as whole tokens."""
    return next(whole_places(text, part), None) is not None


def as_written(text: str, part: str) -> str:
    """How a text writes a part that it has in other capitals or with other blanks; else empty."""
    words = part.split()
    if not words:
        return ""
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found.group() if found and stands_whole(text, found.group()) else ""
