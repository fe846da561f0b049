"""Retrievers by name: those that come with Lacuna, then those of other packages."""

from __future__ import annotations

from difflib import get_close_matches

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup, load_plugin, plugin_names
from lacuna.retrieve.protocol import Retriever

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
