"""The interface of retrievers, and retrievers by name."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup, load_plugin, plugin_names
from lacuna.types import Span

if TYPE_CHECKING:
    from lacuna.corpus.store import Store


@dataclass(frozen=True, slots=True)
class Snippet:
    """The part of a passage that best shows why it was found."""

    text: str
    """Its words."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    marks: tuple[Span, ...] = ()
    """Where the words that were looked for stand in the text of the document."""


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


BM25 = "bm25"
HYBRID = "hybrid"
HOTPOTQA = "hotpotqa"
BUILT_IN = (BM25, HYBRID, HOTPOTQA)
ALIASES = {"hotpot": HOTPOTQA}


def retriever_names() -> tuple[str, ...]:
    """The names that ``open_retriever`` knows."""
    return tuple(dict.fromkeys((*BUILT_IN, *plugin_names(PluginGroup.RETRIEVERS))))


def open_retriever(name: str, store: Store) -> Retriever:
    """A retriever over the documents of a store.

    ``bm25`` searches all passages, ``hybrid`` ranks what that finds also by words that are like
    those of the query, ``hotpotqa`` (or ``hotpot``) is HotpotQA's own over first
    paragraphs; another package may offer more as entry points of the group ``lacuna.retrievers``,
    each a callable that takes the store and gives a retriever.
    """
    name = ALIASES.get(name, name)
    # Imported when needed: BM25 brings tantivy, and a plugin need not.
    if name == BM25:
        from lacuna.retrieve.bm25 import Bm25Retriever

        return Bm25Retriever(store)
    if name == HYBRID:
        from lacuna.retrieve.hybrid import HybridRetriever

        return HybridRetriever(store)
    if name == HOTPOTQA:
        from lacuna.retrieve.hotpotqa import HotpotRetriever

        return HotpotRetriever(store)
    offered = load_plugin(PluginGroup.RETRIEVERS, name)
    if offered is None:
        names = retriever_names()
        close = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise LacunaError(f"There is no retriever {name!r}. {hint}Choose: {', '.join(names)}.")
    if not callable(offered) or not hasattr(retriever := offered(store), "search"):
        raise LacunaError(
            f"{name!r} of {PluginGroup.RETRIEVERS} gives no retriever: it must be called with a "
            "store and give something with search(query, k). Update or remove the package that "
            "offers it."
        )
    return retriever  # type: ignore[no-any-return]
