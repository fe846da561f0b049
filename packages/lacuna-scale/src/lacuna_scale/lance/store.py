"""A store at an address: the same documents, links and passages, as Lance tables."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lacuna.corpus import database
from lacuna.corpus.database import SourceRows, root_text, row_sum, unpack
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.graph import Arrays, Graph, cached_arrays, csr
from lacuna.corpus.rows import DocumentRows
from lacuna.corpus.store import Lead, Redirect, Skipped, SourceInfo, Store, StoreInfo
from lacuna.corpus.titles import folded, is_valid
from lacuna.errors import AddressError, LacunaError, shown
from lacuna.files.cache import cache_folder, digest_of, make_in_cache
from lacuna.types import Document
from lacuna_scale.lance.snapshot import Named, Snapshot, State, StateTable, resolve_named
from lacuna_scale.lance.tables import (
    COUNTED,
    DOCUMENTS,
    PASSAGES,
    REDIRECTS,
    SCHEMAS,
    Tables,
    any_of,
    put_plain,
    quoted,
    telling_failures,
    unpack_entry,
)

if TYPE_CHECKING:
    from lacuna.corpus.store import PassageIndex
    from lacuna.corpus.writer import Writer


# Before Lance is loaded: what matters is raised, and told in our words.
os.environ.setdefault("LANCE_LOG", "error")


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


# A store at an address: the same documents, links and passages, as Lance tables.
#
# Readers stay on what was published when they last looked, every few seconds; a writer works on an
# embedded store of its own machine and publishes that (``staging``).


LOOK_EVERY = 2.0
"""Seconds between two looks for a newer generation."""
STREAM = 256
ROW = ("source", "path", "run", "title", "body", "sum")


class LanceStore(Store):
    """Opened by ``at_place``."""

    follows_sources = False

    def __init__(self, address: str, *, must_exist: bool = True) -> None:
        self.address = address
        self.tables = Tables(address)
        self.state_table = StateTable(self.tables)
        self._pinned = threading.local()
        self._lock = threading.Lock()
        self._graph: Graph | None = None
        self._at: Snapshot | None = None
        self._looked = 0.0
        self.look()
        if must_exist and self._at is None:
            raise LacunaError(
                f"There is no corpus at {address}. Make one with: lacuna index SOURCE --out "
                f"{address}"
            )

    def look(self) -> None:
        """See whether there is a newer generation."""
        state = self.state_table.read()
        self._looked = time.monotonic()
        if state is not None and state.is_published:
            at = self._at
            if at is None or at.state.token != state.token:
                new = Snapshot(self.tables, state)
                if at is not None:
                    new.wait()  # what cannot be opened does not take the place of what is open
                self._at = new

    @property
    def snapshot(self) -> Snapshot:
        """The published state, as of the last look, or of the block that this thread reads in."""
        if (at := self._current) is None:
            raise LacunaError(f"{self.address} has no documents yet.")
        return at

    @property
    def state(self) -> State:
        """The state of that; an empty one before anything is published."""
        return State() if (at := self._current) is None else at.state

    @property
    def _current(self) -> Snapshot | None:
        pinned: Snapshot | None = getattr(self._pinned, "at", None)
        return pinned or self._at

    @property
    def place(self) -> str:
        return self.address

    @property
    def is_there(self) -> bool:
        """As far as is known: who reads it is told where it is not."""
        return True

    def reach(self) -> None:
        """Read the state where it is kept, whatever is held here."""
        if StateTable(self.tables).read() is None:
            raise AddressError(f"{self.address} is gone: there is no corpus any more.")

    @property
    def derived(self) -> Path:
        folder = local_folder(self.address) / "derived"
        make_in_cache(folder)
        return folder

    def close(self) -> None:
        """Nothing is held open."""
        self._graph = None

    @property
    def generation(self) -> int:
        """The number of times that it was published; looks for a newer one from time to time."""
        if not getattr(self._pinned, "depth", 0):
            with self._lock:
                if time.monotonic() - self._looked > LOOK_EVERY:
                    self._looked = time.monotonic()
                    try:
                        self.look()
                    except AddressError:
                        if self._at is None:
                            raise  # else what is open can be read on, perhaps
        return self.state.generation

    @property
    def token(self) -> str:
        """A random word of each generation."""
        return self.state.token

    @contextmanager
    def reading(self) -> Iterator[None]:
        """The block stays with one generation, whatever other threads find meanwhile."""
        depth = getattr(self._pinned, "depth", 0)
        if not depth:
            self._pinned.at = self._at
        self._pinned.depth = depth + 1
        try:
            yield
        finally:
            self._pinned.depth = depth
            if not depth:
                self._pinned.at = None

    @property
    def behind(self) -> int:
        """What is published is indexed."""
        return 0

    def __len__(self) -> int:
        return self.state.counts.get("documents", 0)

    def __iter__(self) -> Iterator[Document]:
        if (at := self._current) is None:
            return
        for row in at.rows(DOCUMENTS, ROW, batch_size=STREAM):
            yield self._unpacked(at, row)

    def titles(self) -> Iterator[str]:
        if (at := self._current) is not None:
            for (title,) in at.rows(DOCUMENTS, ("title",)):
                yield title

    def titles_with(self, part: str, limit: int) -> list[str]:
        """In the order that ``search_titles`` promises."""
        chosen = f"contains(folded, {quoted(part)})"
        found = self.snapshot.rows(DOCUMENTS, ("folded", "title"), chosen)
        ordered = sorted(
            (
                fold != part,
                not fold.startswith(part),
                f" {part}" not in f" {fold}",
                len(title),
                title,
            )
            for fold, title in found
        )
        return [row[-1] for row in ordered[:limit]]

    def redirects(self) -> Iterator[Redirect]:
        if (at := self._current) is not None:
            for row in at.rows(REDIRECTS, ("title", "target", "fragment")):
                yield Redirect(*row)

    def skipped(self) -> Iterator[Skipped]:
        if (at := self._current) is not None:
            for row in at.rows("skipped", ("place", "reason")):
                yield Skipped(*row)

    def skipped_count(self) -> int:
        return self.state.counts.get("skipped", 0)

    def sources(self) -> list[SourceInfo]:
        return [SourceInfo(*fields) for fields in self.state.sources]

    @contextmanager
    def source_rows(self) -> Iterator[sqlite3.Connection]:
        """A database in memory, filled for the purpose."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            for statement in database.TABLES.split(";\n"):
                connection.execute(statement)
            at = self.snapshot
            for name in ("sources", "files", "pages"):
                put_plain(connection, name, at.rows(name, SCHEMAS[name].names))
            documents = at.rows(DOCUMENTS, ("id", *ROW), "path != ''")
            connection.executemany(
                "INSERT INTO documents (id, source, path, run, title, body, sum, folded, "
                "lead_start, lead_end, links, lead_links) VALUES (?,?,?,?,?,?,?, '', 0, 0, '', 0)",
                documents,
            )
            yield connection
        finally:
            connection.close()

    def resolve(self, title: str) -> str | None:
        found = None if (at := self._current) is None else at.resolve(title)
        return None if found is None else found[1]

    def known(self, names: Iterable[str]) -> dict[str, str]:
        asked = [name for name in names if is_valid(name)]
        if (at := self._current) is None:
            return {}
        at.named(map(folded, asked))  # all at once, rather than one after the other
        resolved = ((name, at.resolve(name)) for name in asked)
        return {name: found[1] for name, found in resolved if found is not None}

    def document(self, title: str) -> Document:
        at = self._current
        found = None if at is None else at.resolve(title)
        if at is None or found is None:
            raise self.no_such(title)
        (row,) = at.rows(DOCUMENTS, ROW, f"id = {found[0]}")
        return self._unpacked(at, row)

    def _unpacked(self, at: Snapshot, row: tuple[Any, ...]) -> Document:
        source, path, run, title, body, expected = row
        if expected not in (None, row_sum(source, path, run, title, body)):
            raise LacunaError(
                f"{self.address} is damaged: the document {shown(title)} is not as it was written. "
                "Index its sources again into a new place."
            )
        return unpack(title, body, root_text(at.root(source)) if source else "")

    def numbers(self) -> Iterator[int]:
        for (number,) in self.snapshot.rows(DOCUMENTS, ("id",)):
            yield number

    def number(self, title: str) -> int | None:
        for number, other in self.snapshot.named([folded(title)])[folded(title)].documents:
            if other == title:
                return number
        return None

    def leads(self, numbers: Iterable[int]) -> Mapping[int, Lead]:
        columns = ("id", "title", "lead_start", "lead_end")
        rows = self.snapshot.rows(DOCUMENTS, columns, any_of("id", numbers))
        return {row[0]: Lead(*row[1:]) for row in rows}

    def graph(self) -> Graph:
        graph = self._graph
        if graph is None or graph.generation != self.generation:
            graph = self._graph = LanceGraph.of(self)
        return graph

    def passages(self) -> PassageIndex:
        from lacuna_scale.lance.search import LanceIndex

        return LanceIndex(self)

    def writer(self) -> AbstractContextManager[Writer]:
        """Add, replace and remove documents; all of it becomes visible at the end of the block."""
        from lacuna_scale.lance.publish import writing

        return writing(self)

    def info(self) -> StoreInfo:
        counts = self.state.counts
        names = ("documents", "redirects", "skipped", "passages", "bytes")
        return StoreInfo(*(counts.get(name, 0) for name in names))


def local_folder(address: str) -> Path:
    """The folder where this machine keeps what it needs to know of an address."""
    return cache_folder() / "addresses" / digest_of(address)


PLAIN = ("redirects", "skipped", "sources", "files", "pages")


def fetch(tables: Tables, state: State, folder: Path) -> None:
    """Fill a new folder; documents and passages keep their numbers."""
    with EmbeddedStore.create(folder) as store:
        connection = store.database
        rows = DocumentRows(connection)
        with database.transaction(connection):
            for name in PLAIN:
                put_plain(connection, name, table_rows(tables, state, name))
            for number, root in connection.execute("SELECT id, root FROM sources").fetchall():
                SourceRows(connection).note_sum(number, root)
            for row in table_rows(tables, state, DOCUMENTS):
                rows.put_row(row)
            for *_, words, entry in table_rows(tables, state, PASSAGES):
                rows.put_passage_row((*unpack_entry(entry)[:-1], words))
            connection.execute("INSERT INTO unindexed SELECT id FROM documents")
            counts = {name: state.counts[name] for name in COUNTED}
            for name, value in (*counts.items(), ("generation", state.generation)):
                sql = "UPDATE counts SET value = ? WHERE name = ?"
                connection.execute(sql, (value, name))
        with store.writer():
            pass  # the text index, the link graph and the checksums follow


def table_rows(tables: Tables, state: State, name: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, in the order they were added."""
    if name not in state.tables:
        return
    with telling_failures(tables.address):
        found = tables.open(name, state.tables[name])
        for batch in found.to_batches(batch_size=1000, scan_in_order=True):
            columns = [column.to_pylist() for column in batch.columns]
            yield from zip(*columns, strict=True)
