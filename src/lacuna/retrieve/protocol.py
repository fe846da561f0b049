"""What every retriever does, so that one can stand in for another, and what it finds."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from lacuna.types import Span


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short part of a document around the words searched for.

    ``start``, ``end`` and the ``marks`` (the words) are offsets into the document's text.
    """

    text: str
    start: int
    end: int
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found: ``text[start:end]`` of the document of that title."""

    title: str
    score: float
    start: int
    end: int
    section: tuple[str, ...] = ()
    snippet: Snippet | None = None


class Retriever(Protocol):
    """Finds the passages that a query is about, best first."""

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """At most ``k`` hits for one query."""
        ...


def search_many(
    retriever: Retriever, queries: Iterable[str], k: int = 10, *, threads: int = 1
) -> list[list[Hit]]:
    """The hits of each query, in the order of the queries."""

    def search(query: str) -> list[Hit]:
        return retriever.search(query, k)

    if threads <= 1:
        return [search(query) for query in queries]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(search, queries))
