"""Titles of a corpus that a text names without linking to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from lacuna.text import INDEX_STOP_WORDS
from lacuna.types import Document, Link

NAME_PART = re.compile(r"\w[\w'’.&-]*\w|\w")
"""A word of a name, which may have signs inside: O'Hara, AT&T, St.-Denis."""
LONGEST = 7
"""Words of a title that is looked for."""
MOST_WORDS = 400
"""Of a text; what stands behind is not looked through."""

Known = Callable[[Iterable[str]], Mapping[str, str]]
"""From ways to write titles to the titles that the corpus has for them."""


def mentions(text: str, known: Known, *, capitals: bool = True) -> tuple[Link, ...]:
    """Links to the documents that the text names, the longest names first taken.

    With ``capitals`` a name begins with a capital letter or a digit, and is more than the first
    word of a sentence. A question is typed as it comes, so there any words may be a title.
    """
    words = [match.span() for match in NAME_PART.finditer(text)][:MOST_WORDS]
    candidates: dict[tuple[int, int], str] = {}
    for first, (start, _) in enumerate(words):
        if capitals and not (text[start].isupper() or text[start].isdigit()):
            continue
        for last in range(first, min(first + LONGEST, len(words))):
            end = words[last][1]
            name = text[start:end]
            if "\n" in name:
                break
            if name.casefold() in INDEX_STOP_WORDS or (name.isdigit() and not capitals):
                continue
            candidates[start, end] = name
    titles = known(set(candidates.values()))
    taken: list[Link] = []
    longest_first = sorted(candidates.items(), key=lambda item: item[0][0] - item[0][1])
    for (start, end), name in longest_first:
        title = titles.get(name)
        if title is not None and all(end <= link.start or link.end <= start for link in taken):
            taken.append(Link(start, end, title))
    return tuple(sorted(taken, key=lambda link: link.start))


def with_mentions(document: Document, known: Known) -> Document:
    """A document that has no links gets some to what it names."""
    if document.links:
        return document
    return replace(document, links=mentions(document.text, known))
