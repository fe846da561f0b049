"""The link graph of a store at an address, built on this machine when it is first asked for."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from lacuna.corpus.arrays import Arrays, cached_arrays
from lacuna.corpus.graph import Graph
from lacuna.corpus.lance.snapshot import Named, Snapshot, resolve_named
from lacuna.corpus.lance.tables import DOCUMENTS, REDIRECTS
from lacuna.corpus.links.graph_build import csr
from lacuna.corpus.titles import folded

if TYPE_CHECKING:
    from lacuna.corpus.lance.lance_store import LanceStore

NOWHERE = -1


class LanceGraph(Graph):
    """Its arrays hold the titles too: each would cost a request."""

    @classmethod
    def of(cls, store: LanceStore) -> LanceGraph:
        """Open the graph of a store; it is built first if the store has changed since."""
        generation = store.generation
        with store.reading():
            at = store.snapshot
            arrays = cached_arrays(
                store.derived,
                "graph",
                at.state.generation,
                lambda _: build_graph(at),
                state=at.state.token,
            )
        return cls(store, generation, arrays)

    def title(self, node: int) -> str:
        """The title of a node."""
        return self._text("title", node)

    def _name(self, number: int) -> str:
        return self._text("name", number)

    def _text(self, kind: str, number: int) -> str:
        starts = self._arrays[f"{kind}_starts"]
        written = self._arrays[f"{kind}_bytes"][starts[number] : starts[number + 1]]
        return bytes(written).decode("utf-8")


def build_graph(at: Snapshot) -> Arrays:
    """All arrays of the graph, as ``graph_build.build_graph`` makes them of a database."""
    numbers, titles, leads = [], [], []
    sizes, targets = [], []
    names: dict[str, int] = {}
    named: dict[str, Named] = defaultdict(lambda: Named([], []))
    columns = ("id", "title", "folded", "links", "lead_links")
    for number, title, fold, links, lead in at.rows(DOCUMENTS, columns):
        named[fold].documents.append((number, title))
        numbers.append(number)
        titles.append(title)
        leads.append(lead)
        sizes.append(len(links))
        targets += [names.setdefault(link, len(names)) for link in links]
    for title, fold, target in at.rows(REDIRECTS, ("title", "folded", "target")):
        named[fold].redirects.append((title, target))
    documents = np.array(numbers, np.int64)
    node = np.full(len(names), NOWHERE, np.int64)
    for name, place in names.items():
        found = resolve_named(name, lambda title: named[folded(title)])
        if found is not None:
            node[place] = np.searchsorted(documents, found[0])
    lengths, links_of = np.array(sizes, np.int64), np.array(targets, np.int64)
    sources = np.repeat(np.arange(len(documents)), lengths)
    place_in = np.arange(len(links_of)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    in_lead = place_in < np.repeat(np.array(leads, np.int64), lengths)
    ends = node[links_of]
    there = ends != NOWHERE
    count = len(documents)
    return {
        "documents": documents,
        **csr("out", sources[there], ends[there], count),
        **csr("in", ends[there], sources[there], count),
        **csr("lead_out", sources[there & in_lead], ends[there & in_lead], count),
        **csr("lead_in", ends[there & in_lead], sources[there & in_lead], count),
        **csr("dangling", sources[~there], links_of[~there], count),
        **_texts("title", titles),
        **_texts("name", list(names)),
    }


def _texts(kind: str, texts: list[str]) -> Arrays:
    written = [text.encode("utf-8") for text in texts]
    starts = np.cumsum([0, *map(len, written)], dtype=np.int64)
    return {
        f"{kind}_starts": starts,
        f"{kind}_bytes": np.frombuffer(b"".join(written) or b"\0", np.uint8),
    }
