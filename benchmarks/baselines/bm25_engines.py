"""BM25 engines behind one interface, over HotpotQA's abstracts: ours, bm25s, SQLite's FTS5.

Each imports its library only when it is used: that is part of what opening an index costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from benchmarks.retrieval.abstracts import abstracts
from lacuna.text import INDEX_STOP_WORDS

K = 10
Search = Callable[[Sequence[str], int], Any]
"""Queries and a number of threads to the hits, whatever these look like."""


class Engine(Protocol):
    """Builds an index in a folder, and searches it."""

    def build(self, folder: Path) -> None: ...

    def open(self, folder: Path) -> Search: ...


class LacunaStore:
    """This library: tantivy's candidates, scored again with k1 = 0.9 and b = 0.4."""

    def build(self, folder: Path) -> None:
        from lacuna.corpus.store import Store

        with Store.create(folder) as store, store.writer() as writer:
            writer.add(abstracts())

    def open(self, folder: Path) -> Search:
        from lacuna.corpus.store import Store
        from lacuna.retrieve.bm25 import Bm25Retriever
        from lacuna.retrieve.registry import search_many

        retriever = Bm25Retriever(Store.open(folder))
        return lambda queries, threads: search_many(retriever, queries, K, threads=threads)


class Bm25s:
    """bm25s, its own tokenizer and English stop words."""

    def __init__(self, backend: str) -> None:
        self.backend = backend

    def build(self, folder: Path) -> None:
        import bm25s  # type: ignore[import-untyped,unused-ignore]

        texts = [f"{document.title} {document.text}" for document in abstracts()]
        tokens = bm25s.tokenize(texts, stopwords="en", show_progress=False)
        engine = bm25s.BM25(k1=0.9, b=0.4, backend=self.backend)
        engine.index(tokens, show_progress=False)
        engine.save(folder)

    def open(self, folder: Path) -> Search:
        import bm25s  # type: ignore[import-untyped,unused-ignore]

        engine = bm25s.BM25.load(folder, mmap=True, backend=self.backend)

        def search(queries: Sequence[str], threads: int) -> Any:
            tokens = bm25s.tokenize(list(queries), stopwords="en", show_progress=False)
            return engine.retrieve(tokens, k=K, show_progress=False, n_threads=threads)

        return search


class Fts5:
    """SQLite's own full-text search (k1 = 1.2 and b = 0.75 are fixed), Porter stems."""

    def build(self, folder: Path) -> None:
        import sqlite3

        folder.mkdir()
        database = sqlite3.connect(folder / "fts.sqlite")
        database.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize='porter unicode61')"
        )
        rows = ((document.title, document.text) for document in abstracts())
        database.executemany("INSERT INTO texts VALUES (?, ?)", rows)
        database.execute("INSERT INTO texts(texts) VALUES ('optimize')")
        database.commit()
        database.close()

    def open(self, folder: Path) -> Search:
        import re
        import sqlite3

        sql = "SELECT title, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        left_out = set(INDEX_STOP_WORDS)

        def search_some(queries: Iterable[str]) -> list[Any]:
            database = sqlite3.connect(folder / "fts.sqlite")
            hits = []
            for query in queries:
                words = [w for w in re.findall(r"\w+", query.lower()) if w not in left_out]
                match = " OR ".join(f'"{word}"' for word in words)
                hits.append(database.execute(sql, (match, K)).fetchall())
            return hits

        def search(queries: Sequence[str], threads: int) -> Any:
            parts = [queries[number::threads] for number in range(threads)]
            with ThreadPoolExecutor(threads) as pool:
                return list(pool.map(search_some, parts))

        return search


ENGINES: dict[str, Engine] = {
    "lacuna": LacunaStore(),
    "bm25s (numpy)": Bm25s("numpy"),
    "bm25s (numba)": Bm25s("numba"),
    "SQLite FTS5": Fts5(),
}
