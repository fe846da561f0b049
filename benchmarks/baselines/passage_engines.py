"""Other BM25 engines over the passages of a store, each with its title and headings."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable

from benchmarks.retrieval.real_questions import stored_passages
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.text_index import SECTION_MARK
from lacuna.text import INDEX_STOP_WORDS

Place = tuple[str, int, int]
Search = Callable[[str, int], Iterable[Place]]


def bm25s_search(store: EmbeddedStore) -> Search:
    """bm25s with its own tokenizer and stop words, and Snowball stems."""
    import bm25s  # type: ignore[import-untyped,unused-ignore]
    import Stemmer  # type: ignore[import-not-found,unused-ignore] # it has no types

    stemmer = Stemmer.Stemmer("english")
    places, texts = _places_and_texts(store)
    engine = bm25s.BM25(k1=0.9, b=0.4)
    joined = [" ".join(fields) for fields in texts]
    tokens = bm25s.tokenize(joined, stopwords="en", stemmer=stemmer, show_progress=False)
    engine.index(tokens, show_progress=False)

    def search(query: str, k: int) -> list[Place]:
        words = bm25s.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
        found, _ = engine.retrieve(words, k=min(k, len(places)), show_progress=False)
        return [places[number] for number in found[0]]

    return search


def fts5_search(store: EmbeddedStore) -> Search:
    """SQLite's own full-text search: k1 = 1.2 and b = 0.75 are fixed, Porter stems."""
    places, texts = _places_and_texts(store)
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE VIRTUAL TABLE texts USING fts5(title, headings, body, tokenize='porter unicode61')"
    )
    database.executemany("INSERT INTO texts VALUES (?, ?, ?)", texts)

    def search(query: str, k: int) -> list[Place]:
        words = [w for w in re.findall(r"\w+", query.lower()) if w not in INDEX_STOP_WORDS]
        rows = database.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), k),
        )
        return [places[row - 1] for (row,) in rows]

    return search


def _places_and_texts(store: EmbeddedStore) -> tuple[list[Place], list[tuple[str, str, str]]]:
    places: list[Place] = []
    texts: list[tuple[str, str, str]] = []
    title_read, text = None, ""
    for title, start, end, section in stored_passages(store):
        if title != title_read:
            title_read, text = title, store.document(title).text
        places.append((title, start, end))
        texts.append((title, section.replace(SECTION_MARK, " "), text[start:end]))
    return places, texts
