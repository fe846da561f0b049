"""A retriever: the documents that share most words with a query."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.retrieve.registry import Hit
from lacuna.text import STOP_WORDS, words


class OverlapRetriever:
    """Looks at every document of a store, so it is for small ones."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """At most ``k`` hits, the best first."""
        asked = set(words(query)) - STOP_WORDS
        hits = []
        for document in self._store:
            shared = asked & set(words(f"{document.title} {document.text}"))
            if shared:
                hits.append(Hit(document.title, float(len(shared)), 0, len(document.text)))
        return sorted(hits, key=lambda hit: -hit.score)[:k]
