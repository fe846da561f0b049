"""Whether two stores hold the same, asked for all that a store can be asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lacuna.corpus.graph import missing_links
from lacuna.corpus.store import Store
from lacuna.corpus.titles import search_titles
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.retrieve.hybrid import HybridRetriever
from lacuna.retrieve.registry import Hit

QUERIES = ("first governor of the bank", "ferry", "When did the old lighthouse open?", "zyx", "")


def assert_equal(one: Store, other: Store, *, queries: tuple[str, ...] = QUERIES) -> None:
    """Documents with all that they hold, other names, what was skipped, links, and hits."""
    assert list(one) == list(other)
    assert list(one.titles()) == list(other.titles())
    assert list(one.redirects()) == list(other.redirects())
    assert list(one.skipped()) == list(other.skipped())
    assert one.skipped_count() == other.skipped_count()
    assert one.sources() == other.sources()
    assert replace(one.info(), bytes_on_disk=0) == replace(other.info(), bytes_on_disk=0)
    assert list(one.numbers()) == list(other.numbers())
    assert list(missing_links(one)) == list(missing_links(other))
    names = [redirect.title for redirect in one.redirects()]
    for name in (*one.titles(), *names, "no such title"):
        for written in (name, name.upper(), name.replace(" ", "_")):
            assert one.resolve(written) == other.resolve(written)
    assert one.known([*names, "nothing"]) == other.known([*names, "nothing"])
    assert _graph(one) == _graph(other)
    for query in queries:
        assert search_titles(one, query, 5) == search_titles(other, query, 5)
        for retriever in (Bm25Retriever, HybridRetriever, HotpotRetriever):
            assert hits(retriever(one), query) == hits(retriever(other), query)


def hits(retriever: Any, query: str, **how: Any) -> list[Hit]:
    """The ten best, with scores as far as two engines can agree about them."""
    found = retriever.search(query, 10, **how)
    return [replace(hit, score=round(hit.score, 6)) for hit in found]


def _graph(store: Store) -> list[tuple[Any, ...]]:
    graph = store.graph()
    rows: list[tuple[Any, ...]] = [
        (
            title,
            graph.out_links(title),
            graph.in_links(title),
            graph.out_links(title, lead=True),
            sorted(graph.dangling(title)),
        )
        for title in graph.titles()
    ]
    return [*rows, (graph.link_count(), sorted(graph.most_wanted(1000)))]
