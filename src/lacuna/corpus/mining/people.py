"""Which articles are about a person, told by how an encyclopedia begins them."""

from __future__ import annotations

import re

from lacuna.corpus.mining.paragraphs import first_paragraph
from lacuna.types import Document

LIVED = re.compile(r"\([^()]*(?:\bborn\b|\b1\d{3}\b|\b20\d{2}\b|\bBC\b)[^()]*\)")
"""What stands behind a name where an article is about a person: the years of a life."""
IS_SOMEBODY = re.compile(r"\b(?:is|was) (?:an?|the|one of)\b")


def is_person(document: Document) -> bool:
    """Whether an article's first sentence speaks of a person, by the years of a life.

    >>> is_person(Document("Ada Fenn", "Ada Fenn (1851–1929) was an engineer. She was tall."))
    True
    >>> is_person(Document("Orne", "The Orne is a river of 212 kilometres."))
    False
    """
    begun = first_paragraph(document).text[:600]
    lived = LIVED.search(begun)
    return bool(lived and lived.start() < 200 and IS_SOMEBODY.search(begun, lived.end()))
