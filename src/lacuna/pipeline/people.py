"""Whether a document tells of a person."""

from __future__ import annotations

import re

from lacuna.corpus.store import Store

LIFETIME = re.compile(r"\([^()]*\b\d{3,4}\b[^()]*\)|\bborn\b")
BEGINNING = 160
"""Characters in which a person's lifetime stands, if anywhere."""


def is_person(store: Store, title: str) -> bool:
    """Whether the document of that title begins with a lifetime, as those of people do."""
    found = store.resolve(title)
    return found is not None and bool(LIFETIME.search(store.document(found).text[:BEGINNING]))
