"""What a document is about, by its first sentence: "Kestrel is a former patrol ship" is a ship.

Most corpora have no categories and no lists. These stand in for both until people have looked at
them: documents of one kind are a category of bridges, and a list of things to compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lacuna.corpus.mining.paragraphs import first_paragraph
from lacuna.text import STOP_WORDS
from lacuna.types import Document

LIVED = re.compile(r"\([^()]*(?:\bborn\b|\d{3,4}\s*[-–—]\s)[^()]*\d{3,4}[^()]*\)")
IS_A = re.compile(r"\b(?:is|was|are|were) (?:one of )?(?:an?|the|two|three) ([^.,;:()\n]+)")
FIRST_AMONG = re.compile(r"\b\w+(?:est|most) of the ")
"""The easternmost of the islands is an island."""
ENDS = re.compile(
    r"\s(?:of|in|on|at|by|for|from|to|with|that|which|who|whose|where|when|and|or|about|between"
    r"|near|off|under|over|as|now|then|ever|built|held|written|made|used|named|called|known)\b"
)
PERSON = "person"
NO_KIND = "other"
LEAST = 3
"""A kind of fewer documents is no category of its own."""


def kind_of(document: Document) -> str:
    """The noun that the first sentence calls it by; "other" where it does not say.

    >>> kind_of(Document("Kestrel", "The Kestrel is a former patrol ship, now a museum."))
    'ship'
    >>> kind_of(Document("Isa Lorne", "Isa Lorne (1901 – 1977) was a poet."))
    'person'
    """
    paragraph = first_paragraph(document)
    start, end = paragraph.sentences[0] if paragraph.sentences else (0, len(paragraph.text))
    sentence = paragraph.text[start:end]
    if LIVED.search(sentence):
        return PERSON
    said = IS_A.search(sentence)
    if said is None:
        return NO_KIND
    among = FIRST_AMONG.match(said.group(1))
    named = said.group(1)[among.end() :] if among else said.group(1)
    words = ENDS.split(f" {named} ", maxsplit=1)[0].split()
    noun = words[-1].lower() if words else ""
    if among:
        noun = noun.removesuffix("s")
    return noun if noun.isalpha() and noun not in STOP_WORDS else NO_KIND


def by_kind(documents: Iterable[Document]) -> dict[str, tuple[str, ...]]:
    """The titles of every kind, in the order of their names."""
    kinds: dict[str, list[str]] = {}
    for document in documents:
        kinds.setdefault(kind_of(document), []).append(document.title)
    return {name: tuple(sorted(kinds[name])) for name in sorted(kinds)}


def large_kinds(kinds: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The kinds with at least three documents; the rest goes together as "other"."""
    large = {k: titles for k, titles in kinds.items() if len(titles) >= LEAST and k != NO_KIND}
    rest = sorted(title for kind, titles in kinds.items() if kind not in large for title in titles)
    return {**large, NO_KIND: tuple(rest)} if rest else large
