"""The links between the documents of a store, as arrays mapped into memory."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from lacuna.corpus.formats.base import page_suffixes
from lacuna.corpus.integrity import telling_damage
from lacuna.corpus.page_links import LinkEnd, PageNames, resolve_all
from lacuna.corpus.page_source import PageRows, StoredPage
from lacuna.corpus.rows import NUMBER
from lacuna.corpus.store import Store
from lacuna.corpus.titles import closest
from lacuna.errors import LacunaError, needs
from lacuna.files.cache import delete_gone, delete_unheld, hold, make_holdable
from lacuna.files.checksums import read_checksums, write_checksums
from lacuna.files.writing import replace_text

if TYPE_CHECKING:
    from lacuna.corpus.embedded_store import EmbeddedStore


MAGIC = b"\x93NUMPY\x01\x00"
HEADER = re.compile(
    rb"\{'descr': '([<>|=][a-z]\d+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n"
)


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map a file that ``numpy.save`` wrote; ValueError if it holds anything but numbers."""
    with path.open("rb") as file:
        magic, size = file.read(len(MAGIC)), int.from_bytes(file.read(2), "little")
        found = HEADER.fullmatch(file.read(size))
        start = file.tell()
    if magic != MAGIC or found is None:
        raise ValueError(f"{path} is no array of numbers")
    shape = tuple(int(number) for number in found[2].replace(b",", b" ").split())
    return np.memmap(path, np.dtype(found[1].decode()), "r", start, shape)


# Arrays that are derived from a store and cached beside it, one folder for each generation.
#
# Readers of several generations may be there at once, while a writer commits. Each holds the
# folder that it reads; who builds a newer one deletes the older ones that nobody holds.


Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]
SUFFIX = ".npy"
PART = ".part-"
ABANDONED = 24 * 3600
"""Seconds after which an unfinished folder is taken for that of a killed process."""
VERIFIED = 256 << 20
"""Bytes that are read through on opening, to see that they are as they were written."""


class HeldArrays(dict[str, Array]):
    """Arrays mapped from a folder, which is not deleted before they go."""

    def __init__(self, arrays: Arrays, held: IO[bytes]) -> None:
        super().__init__(arrays)
        self._held = held

    def __del__(self) -> None:
        self._held.close()


def cached_arrays(
    folder: Path, name: str, generation: int, build: Callable[[Path], Arrays], *, state: str = ""
) -> Arrays:
    """Map the arrays of this generation into memory; build and cache them if they are not there.

    ``build`` is given a folder for its scratch files. The arrays get their name by one rename,
    so that a crash leaves a folder that is ignored, never one that is half filled. Where the
    folder cannot be written (read-only, or full) they are used from memory alone. ``state`` tells
    a generation from one of the same number in another life of the store.
    """
    wanted = folder / f"{name}-{generation}"
    if (arrays := open_arrays_of(wanted, state)) is not None:
        return arrays
    if wanted.is_dir():  # damaged, or of an earlier version: it can be built again
        delete_unheld(wanted)
    try:
        part = Path(tempfile.mkdtemp(prefix=f"{name}{PART}", dir=folder))
    except OSError:
        with tempfile.TemporaryDirectory() as scratch:
            return _in_memory(build(Path(scratch)))
    try:
        built = build(part)
        with suppress(OSError, LacunaError):
            _save(built, part / "finished", state)
            (part / "finished").rename(wanted)
        _remove_older(folder, name, generation)
        # Another reader may have been quicker, with the same arrays.
        return open_arrays_of(wanted, state) or _in_memory(built)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def open_arrays_of(folder: Path, state: str, most: int | None = VERIFIED) -> Arrays | None:
    """Map the arrays in a folder; None if they are gone, damaged or of another state."""
    held = hold(folder)
    if held is None:
        return None
    checksums = read_checksums(folder)
    if checksums is not None and checksums.state == state and not checksums.damaged(folder, most):
        with suppress(EOFError, OSError, ValueError):
            names = [name for name in checksums.files if name.endswith(SUFFIX)]
            mapped = {name.removesuffix(SUFFIX): map_array(folder / name) for name in names}
            return HeldArrays(mapped, held)
    held.close()
    return None


def array_folders(folder: Path, name: str) -> dict[int, Path]:
    """The folders of arrays of that name, by their generations."""
    found = {path.name.removeprefix(f"{name}-"): path for path in folder.glob(f"{name}-*")}
    return {int(number): path for number, path in found.items() if number.isdecimal()}


def _in_memory(arrays: Arrays) -> Arrays:
    return {key: np.array(value) for key, value in arrays.items()}


def _save(arrays: Arrays, folder: Path, state: str) -> None:
    folder.mkdir()
    for key, value in arrays.items():
        with (folder / f"{key}{SUFFIX}").open("wb") as file:
            np.save(file, value)
            os.fsync(file.fileno())
    make_holdable(folder)
    write_checksums(folder, [f"{key}{SUFFIX}" for key in arrays], state)


def _remove_older(folder: Path, name: str, generation: int) -> None:
    """Delete what no reader needs any more; newer ones are for those who opened the store later."""
    for number, path in array_folders(folder, name).items():
        if number < generation:
            delete_unheld(path)
    delete_gone(folder)
    for part in folder.glob(f"{name}{PART}*"):
        with suppress(OSError):  # its owner may have finished just now
            if time.time() - part.stat().st_mtime > ABANDONED:
                shutil.rmtree(part)


Ints = npt.NDArray[np.int64]
NOWHERE = -1


def build_graph(database: sqlite3.Connection) -> Arrays:
    """All arrays of the graph; nodes are documents, numbered from 0 in the order of their ids."""
    documents = np.array(
        [row[0] for row in database.execute("SELECT id FROM documents ORDER BY id")], np.int64
    )
    blobs, sizes, lead_sizes = [], [], []
    for links, lead in database.execute("SELECT links, lead_links FROM documents ORDER BY id"):
        blobs.append(links)
        sizes.append(len(links) // NUMBER.itemsize)
        lead_sizes.append(lead)
    names = np.frombuffer(b"".join(blobs), NUMBER).astype(np.int64)
    lengths = np.array(sizes, np.int64)
    sources = np.repeat(np.arange(len(documents)), lengths)
    place = np.arange(len(names)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    in_lead = place < np.repeat(np.array(lead_sizes, np.int64), lengths)
    targets = _meaning_of_names(database, documents)[names]
    leads = targets != NOWHERE
    count = len(documents)
    return {
        "documents": documents,
        **csr("out", sources[leads], targets[leads], count),
        **csr("in", targets[leads], sources[leads], count),
        **csr("lead_out", sources[leads & in_lead], targets[leads & in_lead], count),
        **csr("lead_in", targets[leads & in_lead], sources[leads & in_lead], count),
        **csr("dangling", sources[~leads], names[~leads], count),
    }


def csr(name: str, rows: Ints, columns: Ints, count: int) -> dict[str, npt.NDArray[Any]]:
    """Sorted, each pair once: the columns of row i are ``columns[starts[i]:starts[i + 1]]``."""
    width = int(columns.max(initial=0)) + 1
    pairs = rows * width + columns  # 64 bits hold nodes x names with room to spare
    pairs.sort()
    # By hand: np.unique goes through a hash table, which takes many times as long.
    pairs = np.concatenate((pairs[:1], pairs[1:][pairs[1:] != pairs[:-1]]))
    starts = np.searchsorted(pairs, np.arange(count + 1, dtype=np.int64) * width)
    return {
        f"{name}_starts": starts.astype(np.int64),
        f"{name}_ends": (pairs % width).astype(np.int32),
    }


def _meaning_of_names(database: sqlite3.Connection, documents: Ints) -> Ints:
    """For every number of a name the node it leads to, or NOWHERE.

    The same order as ``Store.resolve``: the same title, a redirect of the same title, a title
    that is alike, a redirect that is alike. Redirects are names too, which lead to names.
    """
    (most,) = database.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()
    node = np.full(most + 1, NOWHERE, np.int64)
    for name, document in _exact(database, "documents", "id"):
        node[name] = np.searchsorted(documents, document)
    redirects = _exact(database, "redirects", "target")
    via = {name: target for name, target in redirects if node[name] == NOWHERE}
    for name, document in _alike(database, "documents", "id"):
        if node[name] == NOWHERE and name not in via:
            node[name] = np.searchsorted(documents, document)
    for name, target in _alike(database, "redirects", "target"):
        if node[name] == NOWHERE and name not in via:
            via[name] = target
    if via:
        _follow(database, node, via, documents)
    return node


def _exact(database: sqlite3.Connection, table: str, column: str) -> Any:
    return database.execute(
        f"SELECT names.id, t.{column} FROM names JOIN {table} t ON t.title = names.name"
    )


def _alike(database: sqlite3.Connection, table: str, column: str) -> Any:
    order = "id" if table == "documents" else "title"
    rows = database.execute(
        f"SELECT names.id, names.name, t.title, t.{column} FROM names "
        f"JOIN {table} t ON t.folded = names.folded ORDER BY names.id, t.{order}"
    )
    for (number, name), group in groupby(rows, key=lambda row: (row[0], row[1])):
        same = list(group)
        yield number, same[closest(name, [row[2] for row in same])][3]


def _follow(database: sqlite3.Connection, node: Ints, via: dict[int, str], documents: Ints) -> None:
    """Redirects may lead to redirects; ``Store.resolve`` knows how to go on, and about loops."""
    from lacuna.corpus.embedded_store import resolve

    waiting = defaultdict(list)
    for name, target in via.items():
        waiting[target].append(name)
    for target, names in waiting.items():
        if (title := resolve(database, target)) is not None:
            row = database.execute("SELECT id FROM documents WHERE title = ?", (title,)).fetchone()
            node[names] = np.searchsorted(documents, row[0])


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
        """The number of nodes that link to each node."""
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
        """The number of documents that link to a document."""
        return len(self.links.into(self.node(title)))

    def link_count(self) -> int:
        """The number of links; several from one document to another count once."""
        return len(self.links.edges()[1])

    def dangling(self, title: str) -> list[str]:
        """The targets of a document's links that the store does not have, as the links write it."""
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
        """The target of links, by the number that the arrays have for it."""


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
        document = int(self._arrays["documents"][node])
        return self._text("SELECT title FROM documents WHERE id = ?", document)

    def _name(self, number: int) -> str:
        return self._text("SELECT name FROM names WHERE id = ?", int(number))

    def _text(self, sql: str, number: int) -> str:
        return str(self._database.database.execute(sql, (number,)).fetchone()[0])


HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="title" for="node" attr.name="title" attr.type="string"/>
<graph id="links" edgedefault="directed">
"""
TAIL = "</graph>\n</graphml>\n"
CHUNK = 100_000

# What XML 1.0 cannot hold even escaped.
NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF], "\ufffd")


def export_graph(graph: Graph, path: Path, *, lead: bool = False) -> None:
    """Write the graph in the format that the file's name asks for.

    ``lead`` takes the links of first paragraphs alone.
    """
    match path.suffix:
        case ".graphml":
            _write_graphml(graph, path, lead)
        case ".parquet":
            _write_parquet(graph, path, lead)
        case other:
            raise LacunaError(
                f"a graph cannot be written as {other or path.name!r}: "
                "give a name that ends in .graphml or .parquet."
            )


def _write_graphml(graph: Graph, path: Path, lead: bool) -> None:
    with replace_text(path) as out:
        out.write(HEAD)
        for node, title in enumerate(graph.titles()):
            shown = escape(title.translate(NOT_XML))
            out.write(f'<node id="n{node}"><data key="title">{shown}</data></node>\n')
        for sources, targets in _chunks(graph, lead):
            out.writelines(
                f'<edge source="n{source}" target="n{target}"/>\n'
                for source, target in zip(sources, targets, strict=True)
            )
        out.write(TAIL)


def _chunks(graph: Graph, lead: bool) -> Iterator[tuple[list[int], list[int]]]:
    sources, targets = graph.links.edges(lead=lead)
    for start in range(0, len(sources), CHUNK):
        part = slice(start, start + CHUNK)
        yield sources[part].tolist(), np.asarray(targets[part]).tolist()


def _write_parquet(graph: Graph, path: Path, lead: bool) -> None:
    with needs("parquet", "Parquet"):
        import pyarrow  # type: ignore[import-untyped,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]
    titles = pyarrow.array(list(graph.titles()), pyarrow.string())
    sources, targets = graph.links.edges(lead=lead)
    # Dictionary columns: each title is written once, however many links it has.
    columns = [
        pyarrow.DictionaryArray.from_arrays(pyarrow.array(np.asarray(nodes)), titles)
        for nodes in (sources, targets)
    ]
    table = pyarrow.table(columns, names=["source", "target"])
    part = path.with_name(f".{path.name}.part")
    try:
        pyarrow.parquet.write_table(table, part)
        part.replace(path)
    except OSError as error:
        raise LacunaError(f"{path} was not written: {error}.") from error
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class MissingLink:
    """One such link: its place, its anchor, and its target as it is written."""

    place: str
    text: str
    target: str
    reason: str


def missing_links(store: Store) -> Iterator[MissingLink]:
    """The missing links of all sources of pages; in dumps, links are titles, and the link graph
    tells."""
    with store.source_rows() as rows:
        for (source,) in rows.execute("SELECT id FROM sources ORDER BY id").fetchall():
            pages = PageRows(rows, source)
            files = pages.file_states()
            names = PageNames(pages.names(), suffixes=page_suffixes(), files=files.__contains__)
            for page in pages.stored():
                yield from _of_page(pages, page, names)


def _of_page(pages: PageRows, page: StoredPage, names: PageNames) -> Iterator[MissingLink]:
    resolved = resolve_all(page.name, page.links, names)
    if all(end.end is not LinkEnd.MISSING for end in resolved):
        return
    document = pages.document(page.name.path)
    for link, end in zip(page.links, resolved, strict=True):
        if end.end is LinkEnd.MISSING:
            place = str(document.origin.at(link.start)) if document.origin else page.name.path
            text = document.text[link.start : link.end]
            yield MissingLink(place, text, link.target, end.reason)
