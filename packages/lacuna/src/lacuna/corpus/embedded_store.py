"""The default store: a folder of documents with their links and a text index."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from tantivy import Occur, Query

from lacuna.corpus import database, text_index
from lacuna.corpus import integrity as seal
from lacuna.corpus.database import DOCUMENT_ROW, document_of, root_text
from lacuna.corpus.integrity import DamagedStoreError
from lacuna.corpus.store import (
    FIELDS,
    Lead,
    PassageIndex,
    PassagePlace,
    PassageRows,
    PassageView,
    Redirect,
    Skipped,
    SourceInfo,
    Store,
    StoreInfo,
    WantedPassages,
    is_store,
)
from lacuna.corpus.text_index import TEXT, Analyzer, SearchIndex, schema, section_keys
from lacuna.corpus.titles import closest, folded, is_valid
from lacuna.errors import LacunaError
from lacuna.types import Document

if TYPE_CHECKING:
    from lacuna.corpus.graph import Graph
    from lacuna.corpus.writer import Writer


NONE: tuple[tuple[Any, ...], ...] = ((), (), (), (), ())


class EmbeddedIndex(PassageIndex):
    """Looks again when it sees a new generation."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        _catch_up(store)
        self._index = SearchIndex(store.folder)
        self._current = self._new_view()

    @contextmanager
    def reading(self) -> Iterator[PassageView]:
        """The newest state; the database stands still as well."""
        if self._current.generation != self._store.generation:
            self._current = self._new_view()
        view = self._current
        with database.transaction(self._store.database, "DEFERRED"):
            yield view

    def _new_view(self) -> EmbeddedView:
        return EmbeddedView(self._store, self._index)


class EmbeddedView(PassageView):
    """The text index at one generation."""

    def __init__(self, store: EmbeddedStore, index: SearchIndex) -> None:
        self._store = store
        self._index = index
        self._analyzer = Analyzer()
        # Before and after: a writer may merge in between.
        self._has_deleted = index.has_deleted()
        self._searcher = index.newest()
        self._has_deleted |= index.has_deleted()
        self.count = store.count("passages")
        title, heading, body = (
            store.count(f"{field}_terms") / max(self.count, 1) for field in FIELDS
        )
        self.average = (title, heading, body)
        self.generation = store.generation

    def having(self, terms: Sequence[str]) -> list[int]:
        """Count as tantivy does; what is gone is in its numbers, but not in what it finds."""
        with self._index.telling_damage():
            if not self._has_deleted:
                return [self._searcher.doc_freq(TEXT, each) for each in terms]
            found: Iterable[Any] = (self._searcher.search(_term(each), 1) for each in terms)
            return [each.count for each in found]  # tantivy's types do not know of it

    def candidates(self, wanted: WantedPassages, most: int) -> PassageRows:
        """Passages that the index still has and the database no longer does drop out here."""
        query = Query.boolean_query(
            [
                (Occur.Must if wanted.all_words else Occur.Should, _term(term))
                for term in wanted.terms
            ]
        )
        needed = (*map(self._phrase, wanted.phrases), *self._place(wanted))
        if needed:  # else the plain query, which tantivy answers fastest
            silent = [(Occur.Must, Query.const_score_query(other, 0.0)) for other in needed]
            query = Query.boolean_query([(Occur.Must, query), *silent])
        with self._index.telling_damage():
            hits = self._searcher.search(query, most, count=False).hits
            found = self._searcher.fast_field_values("passage", [address for _, address in hits])
        rows = self._store.rows(
            "SELECT id, terms, title_terms, heading_terms, start = 0 FROM passages "
            "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            json.dumps(found),
        )
        ids, blobs, title_terms, heading_terms, begins = zip(*rows, strict=True) if rows else NONE
        return PassageRows(ids, blobs, title_terms, heading_terms, begins)

    def places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        """From the database."""
        rows = self._store.rows(
            'SELECT passages.id, title, start, "end", section FROM passages '
            "JOIN documents ON documents.id = document "
            "WHERE passages.id IN (SELECT value FROM json_each(?))",
            json.dumps(passages),
        )
        return {row[0]: PassagePlace(*row[1:]) for row in rows}

    def numbers(self, terms: Sequence[str]) -> list[int]:
        known = dict(
            self._store.rows(
                "SELECT term, id FROM terms WHERE term IN (SELECT value FROM json_each(?))",
                json.dumps(terms),
            )
        )
        return [known.get(term, 0) for term in terms]

    def terms(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        """From the database."""
        return self._store.rows(
            "SELECT id, term FROM terms WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(numbers),
        )

    def _phrase(self, phrase: str) -> Query:
        tokens = self._analyzer.tokens(phrase)
        if not tokens:
            return Query.all_query()  # stop words alone: every passage may have them
        if len(tokens) == 1:
            return _term(tokens[0].term)
        # Stop words are not in the index, but the gaps that they leave are.
        words = [(token.position - tokens[0].position, token.term) for token in tokens]
        return Query.phrase_query(schema(), TEXT, list(words))

    def _place(self, wanted: WantedPassages) -> Iterable[Query]:
        if wanted.documents is not None:
            rows = self._store.rows(
                "SELECT id FROM documents WHERE title IN (SELECT value FROM json_each(?))",
                json.dumps(wanted.documents),
            )
            yield Query.term_set_query(schema(), "document", [row[0] for row in rows])
        if wanted.section:
            yield Query.term_query(schema(), "section", section_keys(wanted.section)[-1])


def _term(term: str) -> Query:
    return Query.term_query(schema(), TEXT, term)


def _catch_up(store: EmbeddedStore) -> None:
    """Finish what a killed writer left.

    A live writer will do so itself, and on a full disk or a read-only one it must wait: search
    still finds all the rest, and ``behind`` says how much is missing.
    """
    if store.behind or not text_index.is_there(store.folder):
        with suppress(LacunaError), store.writer():
            pass


# The default store: a folder of documents with their links and a text index.
#
# ``Store.open(folder)`` reads; ``with store.writer() as writer: writer.add(items)`` writes.
# Several processes may read while one writes; each sees only what was committed.


# What a title leads to: a document to itself, a redirect to its target.
DOCUMENTS = "title, title FROM documents"
REDIRECTS = "title, target FROM redirects"
FIRST_ADDED = {DOCUMENTS: "id", REDIRECTS: "title"}

FIND = """
SELECT title FROM documents WHERE instr(folded, :typed)
ORDER BY folded != :typed, instr(folded, :typed) != 1,
    instr(' ' || folded, ' ' || :typed) = 0, length(title), title LIMIT :limit
"""
STREAM = 256
"""Rows fetched at a time while all documents are read."""

SOURCES = """
SELECT root,
    (SELECT count(DISTINCT file) FROM pages WHERE source = sources.id),
    (SELECT count(*) FROM documents WHERE source = sources.id),
    (SELECT count(*) FROM skipped WHERE source = sources.id),
    (SELECT coalesce(sum(resolved), 0) FROM pages WHERE source = sources.id),
    (SELECT coalesce(sum(missing), 0) FROM pages WHERE source = sources.id),
    (SELECT coalesce(sum(outside), 0) FROM pages WHERE source = sources.id)
FROM sources ORDER BY id
"""


class _Connection:
    """A thread's connection; closed when the thread ends, because nothing else holds it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.database = connection

    def __del__(self) -> None:
        self.database.close()


class EmbeddedStore(Store):
    """Documents by title. Use ``create`` or ``open`` to get one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._per_thread = threading.local()
        self._opened: WeakSet[_Connection] = WeakSet()
        self._graph: Graph | None = None
        self._verify()
        _ = self.database

    def _verify(self) -> None:
        if is_store(self.folder):
            seal.verify(self.folder)

    @classmethod
    def create(cls, folder: Path) -> EmbeddedStore:
        if not seal.is_sealed(folder):  # what is sealed was made before, and may be damaged
            database.create(folder)
        return cls(folder)

    @classmethod
    def open(cls, folder: Path) -> EmbeddedStore:
        return cls(folder)

    @property
    def place(self) -> str:
        return str(self.folder)

    @property
    def is_there(self) -> bool:
        """True if its database is."""
        return is_store(self.folder)

    def reach(self) -> None:
        """Nothing to wait for: it is on this machine."""

    @property
    def derived(self) -> Path:
        """The folder itself: what is derived is kept beside the database."""
        return self.folder

    @property
    def database(self) -> sqlite3.Connection:
        """This thread's connection; for the other components of the corpus, not for callers."""
        try:
            mine: _Connection = self._per_thread.connection
        except AttributeError:
            mine = self._per_thread.connection = _Connection(database.connect(self.folder))
            self._opened.add(mine)
        return mine.database

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """All rows of a query; for the other components of the corpus, not for callers."""
        return rows_of(self.database, sql, *values)

    def close(self) -> None:
        for connection in self._opened:
            connection.database.close()
        self._graph = None  # it holds the store, and files of its own: neither waits for the other

    @property
    def generation(self) -> int:
        return self.count("generation")

    @property
    def token(self) -> str:
        return database.token_of(self.database)

    def reading(self) -> AbstractContextManager[None]:
        """A view of the database that stands still."""
        return database.transaction(self.database, "DEFERRED")

    def count(self, name: str) -> int:
        """One of the numbers that the store records about itself."""
        rows = self.rows("SELECT value FROM counts WHERE name = ?", name)
        if not rows:
            raise DamagedStoreError(self.folder, f"its database has no count of {name}")
        return int(rows[0][0])

    @property
    def behind(self) -> int:
        sql = "SELECT (SELECT count(*) FROM unindexed) + (SELECT count(*) FROM stale)"
        return int(self.rows(sql)[0][0])

    def __len__(self) -> int:
        return int(self.rows("SELECT count(*) FROM documents")[0][0])

    def __iter__(self) -> Iterator[Document]:
        """All documents in the order they were added, a few at a time.

        Each fetch is a query of its own, so that a long loop holds up no writer's clean-up.
        """
        last = 0
        while True:
            rows = self.rows(
                f"SELECT documents.id, {DOCUMENT_ROW} WHERE documents.id > ? "
                "ORDER BY documents.id LIMIT ?",
                last,
                STREAM,
            )
            for _, *row in rows:
                yield document_of(self.folder, row)
            if len(rows) < STREAM:
                return
            last = rows[-1][0]

    def titles(self) -> Iterator[str]:
        for (title,) in self.database.execute("SELECT title FROM documents ORDER BY id"):
            yield title

    def titles_with(self, part: str, limit: int) -> list[str]:
        """In the order that ``search_titles`` promises."""
        rows = self.database.execute(FIND, {"typed": part, "limit": limit})
        return [title for (title,) in rows]

    def redirects(self) -> Iterator[Redirect]:
        sql = "SELECT title, target, fragment FROM redirects ORDER BY title"
        for title, target, fragment in self.database.execute(sql):
            yield Redirect(title, target, fragment)

    def skipped(self) -> Iterator[Skipped]:
        sql = "SELECT place, reason FROM skipped ORDER BY source, place"
        for place, reason in self.database.execute(sql):
            yield Skipped(place, reason)

    def skipped_count(self) -> int:
        return int(self.rows("SELECT count(*) FROM skipped")[0][0])

    def sources(self) -> list[SourceInfo]:
        return [SourceInfo(root_text(root), *counts) for root, *counts in self.rows(SOURCES)]

    @contextmanager
    def source_rows(self) -> Iterator[sqlite3.Connection]:
        """The database itself."""
        yield self.database

    def resolve(self, title: str) -> str | None:
        return resolve(self.database, title)

    def known(self, names: Iterable[str]) -> dict[str, str]:
        by_fold: dict[str, list[str]] = {}
        for name in filter(is_valid, names):
            by_fold.setdefault(folded(name), []).append(name)
        rows = self.rows(
            "SELECT folded FROM documents WHERE folded IN (SELECT value FROM json_each(?1)) "
            "UNION SELECT folded FROM redirects WHERE folded IN (SELECT value FROM json_each(?1))",
            json.dumps(list(by_fold)),
        )
        resolved = ((name, self.resolve(name)) for (fold,) in rows for name in by_fold[fold])
        return {name: title for name, title in resolved if title is not None}

    def document(self, title: str) -> Document:
        resolved = self.resolve(title)
        # No title is NULL.
        rows = self.rows(f"SELECT {DOCUMENT_ROW} WHERE title = ?", resolved)
        if not rows:
            raise self.no_such(title)
        return document_of(self.folder, rows[0])

    def numbers(self) -> Iterator[int]:
        for (number,) in self.database.execute("SELECT id FROM documents ORDER BY id"):
            yield number

    def number(self, title: str) -> int | None:
        rows = self.rows("SELECT id FROM documents WHERE title = ?", title)
        return int(rows[0][0]) if rows else None

    def leads(self, numbers: Iterable[int]) -> Mapping[int, Lead]:
        rows = self.rows(
            "SELECT id, title, lead_start, lead_end FROM documents "
            "WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(list(numbers)),
        )
        return {row[0]: Lead(*row[1:]) for row in rows}

    def source_of(self, title: str) -> str:
        """The source of the document of exactly this title; "" if it is not known."""
        sql = "SELECT root FROM documents JOIN sources ON sources.id = source WHERE title = ?"
        rows = self.rows(sql, title)
        return root_text(rows[0][0]) if rows else ""

    def numbered(self, number: int) -> Document | None:
        """The document in a row; for the other components of the corpus, not for callers."""
        rows = self.rows(f"SELECT {DOCUMENT_ROW} WHERE documents.id = ?", number)
        return document_of(self.folder, rows[0]) if rows else None

    def graph(self) -> Graph:
        from lacuna.corpus.graph import EmbeddedGraph

        graph = self._graph
        if graph is None or graph.generation != self.generation:
            self._graph = graph = None  # so that its files can be deleted
            graph = self._graph = EmbeddedGraph.of(self)
        return graph

    def passages(self) -> PassageIndex:
        return EmbeddedIndex(self)

    def writer(self) -> Writer:
        from lacuna.corpus.writer import Writer

        return Writer(self)

    def info(self) -> StoreInfo:
        ((redirects, skipped),) = self.rows(
            "SELECT (SELECT count(*) FROM redirects), (SELECT count(*) FROM skipped)"
        )
        size = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
        return StoreInfo(len(self), redirects, skipped, self.count("passages"), size)


class StoreFiles(EmbeddedStore):
    """A store as far as it can be read, for those who look for damage."""

    def _verify(self) -> None:
        """Whatever its files are."""


def rows_of(connection: sqlite3.Connection, sql: str, *values: Any) -> list[Any]:
    """All rows of a query: the one door through which a store asks its database."""
    return connection.execute(sql, values).fetchall()


def resolve(connection: sqlite3.Connection, title: str) -> str | None:
    """``EmbeddedStore.resolve``, for those who hold a connection."""
    seen: set[str] = set()
    while title not in seen and is_valid(title):
        seen.add(title)
        if (exact := _same(connection, DOCUMENTS, title)) is not None:
            return exact
        target = _same(connection, REDIRECTS, title)
        if target is None:
            if (alike := _alike(connection, DOCUMENTS, title)) is not None:
                return alike
            target = _alike(connection, REDIRECTS, title)
        if target is None:
            return None
        title = target
    return None


def _same(connection: sqlite3.Connection, table: str, title: str) -> str | None:
    rows = rows_of(connection, f"SELECT {table} WHERE title = ?", title)
    return rows[0][1] if rows else None


def _alike(connection: sqlite3.Connection, table: str, title: str) -> str | None:
    sql = f"SELECT {table} WHERE folded = ? ORDER BY {FIRST_ADDED[table]}"
    rows = rows_of(connection, sql, folded(title))
    if not rows:
        return None
    meant: str = rows[closest(title, [row[0] for row in rows])][1]
    return meant
