"""BM25 engines on the same abstracts: build time, size, memory, cold open, queries a second.

    LACUNA_DATA=… python benchmarks/bm25_engines.py

Every build and every round of queries runs in a process of its own. Rounds go in turn from
engine to engine, and the best round counts, so that other work on the machine hurts all alike.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from abstracts import abstracts, questions

from lacuna.text import INDEX_STOP_WORDS

K = 10
ROUNDS = 2
ASKED = 200
Search = Callable[[Sequence[str], int], Any]


class Lacuna:
    """This library: tantivy's candidates, scored again with k1 = 0.9 and b = 0.4."""

    def build(self, folder: Path) -> None:
        from lacuna.corpus.store import Store

        with Store.create(folder) as store, store.writer() as writer:
            writer.add(abstracts())

    def open(self, folder: Path) -> Search:
        from lacuna.corpus.store import Store
        from lacuna.retrieve.bm25 import Bm25Retriever
        from lacuna.retrieve.protocol import search_many

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

        def some(queries: Iterable[str]) -> list[Any]:
            database = sqlite3.connect(folder / "fts.sqlite")
            found = []
            for query in queries:
                words = [w for w in re.findall(r"\w+", query.lower()) if w not in left_out]
                match = " OR ".join(f'"{word}"' for word in words)
                found.append(database.execute(sql, (match, K)).fetchall())
            return found

        def search(queries: Sequence[str], threads: int) -> Any:
            parts = [queries[number::threads] for number in range(threads)]
            with ThreadPoolExecutor(threads) as pool:
                return list(pool.map(some, parts))

        return search


ENGINES: dict[str, Lacuna | Bm25s | Fts5] = {
    "lacuna": Lacuna(),
    "bm25s (numpy)": Bm25s("numpy"),
    "bm25s (numba)": Bm25s("numba"),
    "SQLite FTS5": Fts5(),
}


def build(name: str, folder: Path) -> dict[str, float]:
    """Build an index; what it cost."""
    start = time.perf_counter()
    ENGINES[name].build(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"build": time.perf_counter() - start, "size": size / 1e6, "memory": memory()}


def query(name: str, folder: Path) -> dict[str, float]:
    """Open an index, ask one question, then all of them on 1 and 2 threads."""
    asked = [question.text for question in questions("dev_fullwiki.json.gz")][:ASKED]
    start = time.perf_counter()
    search = ENGINES[name].open(folder)
    search(asked[:1], 1)
    figures = {"open": 1000 * (time.perf_counter() - start)}
    for threads in (1, 2):
        search(asked[:20], threads)  # compilers and caches get warm
        start = time.perf_counter()
        search(asked, threads)
        figures[f"threads{threads}"] = len(asked) / (time.perf_counter() - start)
    return {**figures, "query memory": memory()}


def memory() -> float:
    """The most that this process has used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(action: str, name: str, folder: Path) -> dict[str, float]:
    """Do it in a process of its own."""
    command = [sys.executable, __file__, action, name, str(folder)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    figures: dict[str, float] = json.loads(output.splitlines()[-1])
    return figures


def main() -> None:
    """Measure all engines and print a table."""
    table: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: Path(scratch) / str(number) for number, name in enumerate(ENGINES)}
        for name, folder in folders.items():
            table[name] = apart("build", name, folder)
            print(name, table[name], file=sys.stderr)
        for _ in range(ROUNDS):
            for name, folder in folders.items():
                figures = apart("query", name, folder)
                print(name, figures, file=sys.stderr)
                for figure, value in figures.items():
                    better = max if figure.startswith("threads") else min
                    table[name][figure] = better(value, table[name].get(figure, value))
    print(
        "| engine | build, s | size, MB | memory to build, MB | to query, MB | open + first "
        "query, ms | queries/s, 1 thread | 2 threads |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    columns = ("build", "size", "memory", "query memory", "open", "threads1", "threads2")
    for name, row in table.items():
        print(f"| {name} | " + " | ".join(f"{row[column]:,.0f}" for column in columns) + " |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        result = {"build": build, "query": query}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
        print(json.dumps(result))
    else:
        main()
