"""A retriever: the documents that share most words with a query."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.corpus.store import Store
from lacuna.retrieve.protocol import Hit
from lacuna.text import STOPWORDS, words


class OverlapRetriever:
    """Looks at every document of a store, so it is for small ones."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """At most ``k`` hits, the best first."""
        asked = set(words(query)) - STOPWORDS
        hits = []
        for document in self._store:
            shared = asked & set(words(f"{document.title} {document.text}"))
            if shared:
                hits.append(Hit(document.title, float(len(shared)), 0, len(document.text)))
        return sorted(hits, key=lambda hit: -hit.score)[:k]

    def search_many(
        self, queries: Iterable[str], k: int = 10, *, threads: int = 1
    ) -> list[list[Hit]]:
        """The hits of each query, in the order of the queries."""
        return [self.search(query, k) for query in queries]
