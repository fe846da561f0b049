"""The links between the documents of a store, as arrays mapped into memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lacuna.corpus.arrays import Arrays, cached_arrays
from lacuna.corpus.links.graph_build import build_graph
from lacuna.corpus.safekeeping.damage import telling_damage

if TYPE_CHECKING:
    from lacuna.corpus.embedded_store import EmbeddedStore
    from lacuna.corpus.store import Store

Nodes = npt.NDArray[np.int32]


class LinkArrays:
    """Edges in both directions; knows nodes, not titles.

    ``lead`` asks for the links of first paragraphs alone.
    """

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self.count = len(arrays["out_starts"]) - 1

    def out(self, node: int, *, lead: bool = False) -> Nodes:
        """The nodes that a node links to, each once, in ascending order."""
        return self._row("lead_out" if lead else "out", node)

    def into(self, node: int, *, lead: bool = False) -> Nodes:
        """The nodes that link to a node."""
        return self._row("lead_in" if lead else "in", node)

    def in_counts(self) -> npt.NDArray[np.int64]:
        """How many nodes link to each node."""
        return np.diff(self._arrays["in_starts"])

    def edges(self, *, lead: bool = False) -> tuple[Nodes, Nodes]:
        """All edges: their sources and their targets."""
        name = "lead_out" if lead else "out"
        ends = self._arrays[f"{name}_ends"]
        sources = np.repeat(
            np.arange(self.count, dtype=np.int32), np.diff(self._arrays[f"{name}_starts"])
        )
        return sources, ends

    def path(self, start: int, goal: int) -> list[int] | None:
        """A shortest way along links: breadth first from both ends, the smaller side next."""
        if start == goal:
            return [start]
        came = [np.full(self.count, -1, np.int32) for _ in range(2)]
        came[0][start], came[1][goal] = start, goal
        edge = [np.array([start], np.int32), np.array([goal], np.int32)]
        while len(edge[0]) and len(edge[1]):
            side = 0 if len(edge[0]) <= len(edge[1]) else 1
            edge[side] = self._next(edge[side], came[side], "out" if side == 0 else "in")
            met = edge[side][came[1 - side][edge[side]] >= 0]
            if len(met):
                middle = int(met[0])
                back = self._walk(came[0], middle, start)[::-1]
                return back + self._walk(came[1], middle, goal)[1:]
        return None

    def _next(self, edge: Nodes, came: Nodes, name: str) -> Nodes:
        starts, ends = self._arrays[f"{name}_starts"], self._arrays[f"{name}_ends"]
        first, sizes = starts[edge], starts[edge + 1] - starts[edge]
        total = int(sizes.sum())
        # Places of all the neighbours: runs of consecutive numbers, one for each node.
        places = np.arange(total) + np.repeat(first - (np.cumsum(sizes) - sizes), sizes)
        reached = ends[places]
        new = came[reached] < 0
        nodes, at = np.unique(reached[new], return_index=True)
        came[nodes] = np.repeat(edge, sizes)[new][at]
        return nodes

    @staticmethod
    def _walk(came: Nodes, node: int, home: int) -> list[int]:
        way = [node]
        while node != home:
            node = int(came[node])
            way.append(node)
        return way

    def _row(self, name: str, node: int) -> Nodes:
        starts = self._arrays[f"{name}_starts"]
        return self._arrays[f"{name}_ends"][starts[node] : starts[node + 1]]


class Graph(ABC):
    """The link graph of a store, by title. Get it from ``Store.graph``."""

    def __init__(self, store: Store, generation: int, arrays: Arrays) -> None:
        self.generation = generation
        self.links = LinkArrays(arrays)
        self._store = store
        self._arrays = arrays

    def __len__(self) -> int:
        return self.links.count

    def node(self, title: str) -> int:
        """The number of a document, however its title is written."""
        resolved = self._store.resolve(title)
        number = None if resolved is None else self._store.number(resolved)
        if number is not None:
            ids = self._arrays["documents"]
            place = int(np.searchsorted(ids, number))
            if place < len(ids) and ids[place] == number:
                return place
        raise self._store.no_such(title)

    @abstractmethod
    def title(self, node: int) -> str:
        """The title of a node."""

    def titles(self) -> Iterator[str]:
        """The titles of all nodes, in order."""
        return self._store.titles()

    def out_links(self, title: str, *, lead: bool = False) -> list[str]:
        """The documents that a document links to; with ``lead``, from its first paragraph."""
        return [self.title(node) for node in self.links.out(self.node(title), lead=lead)]

    def in_links(self, title: str, *, lead: bool = False) -> list[str]:
        """The documents that link to a document."""
        return [self.title(node) for node in self.links.into(self.node(title), lead=lead)]

    def in_link_count(self, title: str) -> int:
        """How many documents link to a document."""
        return len(self.links.into(self.node(title)))

    def link_count(self) -> int:
        """How many links there are; several from one document to another count once."""
        return len(self.links.edges()[1])

    def dangling(self, title: str) -> list[str]:
        """What a document links to and the store does not have, as the links write it."""
        starts, node = self._arrays["dangling_starts"], self.node(title)
        return [self._name(n) for n in self._dangling_names()[starts[node] : starts[node + 1]]]

    def most_wanted(self, count: int = 10) -> list[tuple[str, int]]:
        """The missing targets that most documents link to."""
        numbers, documents = np.unique(self._dangling_names(), return_counts=True)
        order = np.lexsort((numbers, -documents))[:count]
        return [(self._name(numbers[place]), int(documents[place])) for place in order]

    def path(self, start: str, goal: str) -> list[str] | None:
        """The titles along a shortest way of links, both ends included; None if there is none."""
        nodes = self.links.path(self.node(start), self.node(goal))
        return None if nodes is None else [self.title(node) for node in nodes]

    def _dangling_names(self) -> Nodes:
        return self._arrays["dangling_ends"]

    @abstractmethod
    def _name(self, number: int) -> str:
        """What links point to, by the number that the arrays have for it."""


class EmbeddedGraph(Graph):
    """The graph of an embedded store, whose database knows the titles."""

    def __init__(self, store: EmbeddedStore, generation: int, arrays: Arrays) -> None:
        super().__init__(store, generation, arrays)
        self._database = store

    @classmethod
    def of(cls, store: EmbeddedStore) -> EmbeddedGraph:
        """Open the graph of a store; it is built first if the store has changed since."""
        no_sense = telling_damage(store.folder, "the links in its database make no sense")
        with store.reading(), no_sense:
            generation = store.generation
            arrays = cached_arrays(
                store.derived,
                "graph",
                generation,
                lambda _: build_graph(store.database),
                state=store.token,
            )
        return cls(store, generation, arrays)

    def title(self, node: int) -> str:
        """The title of a node."""
        document = int(self._arrays["documents"][node])
        return self._text("SELECT title FROM documents WHERE id = ?", document)

    def _name(self, number: int) -> str:
        return self._text("SELECT name FROM names WHERE id = ?", int(number))

    def _text(self, sql: str, number: int) -> str:
        return str(self._database.database.execute(sql, (number,)).fetchone()[0])
