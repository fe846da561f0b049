"""BM25, and of what it finds first the passages that also say it in other words.

BM25 proposes; its first passages are ranked again by their scores and their likeness to the query
(``likeness``). The store has the terms of every passage already, so nothing more is indexed, no
document is read, and no network runs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

import numpy as np

from lacuna.corpus.document_rows import NUMBER
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.likeness import AskedTerms, Numbers, PassageTerms, fused, likeness
from lacuna.retrieve.protocol import Hit
from lacuna.retrieve.query_terms import query_terms
from lacuna.retrieve.term_vectors import UNKNOWN, Rows, TermVectors, shipped_vectors

PROPOSED = 100
"""Passages of BM25 that are ranked again (benchmarks/results/dense.md: what other numbers give)."""
NOT_LOOKED_UP = -2


class HybridRetriever:
    """Searches by words, and ranks by words and their likeness.

    >>> from lacuna.corpus.open import open_store
    >>> HybridRetriever(open_store()).search("How high is Carrow Fell?", k=1)[0].title
    'Carrow Fell'
    """

    def __init__(self, store: Store, vectors: TermVectors | None = None) -> None:
        self._store = store
        self._vectors = vectors or shipped_vectors()
        self._words = Bm25Retriever(store)
        self._analyzer = Analyzer()
        self._rows = _RowsOfTerms(store, self._vectors)

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The ``k`` best passages; those that BM25 does not propose follow in its order."""
        hits = self._words.search(query, max(k, PROPOSED))
        again, rest = hits[:PROPOSED], hits[PROPOSED:]
        terms = list(dict.fromkeys(query_terms(query, self._analyzer)))
        if not again or not terms or k < 1:
            return hits[:k]
        blobs = self._passages(again)
        known = [(hit, blob) for hit, blob in zip(again, blobs, strict=True) if blob]
        if not known:  # all of them were taken out of the store just now
            return hits[:k]
        again = [hit for hit, _ in known]
        alike = likeness(
            self._asked(terms), self._terms([blob for _, blob in known]), self._vectors
        )
        scores = fused([hit.score for hit in again], alike)
        order = np.argsort(-scores, kind="stable")
        ranked = [replace(again[place], score=float(scores[place])) for place in order]
        # What follows scores less than all of these, and keeps its order.
        lowest, most = float(scores.min()), max(hit.score for hit in hits)
        below = [replace(hit, score=lowest - 1 + hit.score / max(most, 1e-9)) for hit in rest]
        return [*ranked, *below][:k]

    def _asked(self, terms: Sequence[str]) -> AskedTerms:
        rows = self._vectors.rows(terms)
        rarity = np.array(self._words.rarities(terms), np.float32)
        return AskedTerms(np.array(self._words.numbers(terms), np.uint32), rows, rarity)

    def _terms(self, blobs: Sequence[bytes]) -> PassageTerms:
        numbers, places = np.unique(np.frombuffer(b"".join(blobs), NUMBER), return_inverse=True)
        sizes = [len(blob) // NUMBER.itemsize for blob in blobs]
        starts = np.cumsum([0, *sizes[:-1]])
        return PassageTerms(numbers, self._rows.of(numbers), places, starts)

    def _passages(self, hits: Sequence[Hit]) -> list[bytes]:
        """The terms of each hit's passage, as the store has them; none if it is gone."""
        rows = self._store.database.execute(
            "SELECT wanted.key, terms FROM json_each(?) AS wanted "
            "JOIN documents ON title = wanted.value ->> 0 "
            "JOIN passages ON document = documents.id AND start = wanted.value ->> 1",
            (json.dumps([(hit.title, hit.start) for hit in hits]),),
        )
        found: dict[int, bytes] = dict(rows.fetchall())
        return [found.get(place, b"") for place in range(len(hits))]


class _RowsOfTerms:
    """Which row of the vectors each term of a store has, by the term's number.

    A number means the same term for ever, so each is looked up once; four bytes for each remain.
    """

    def __init__(self, store: Store, vectors: TermVectors) -> None:
        self._store = store
        self._vectors = vectors
        self._known = np.full(0, NOT_LOOKED_UP, np.int32)
        self._lock = Lock()

    def of(self, numbers: Numbers) -> Rows:
        """The rows of some terms; the numbers ascend."""
        with self._lock:
            if numbers[-1] >= len(self._known):
                more = np.full(2 * int(numbers[-1]) + 1 - len(self._known), NOT_LOOKED_UP, np.int32)
                self._known = np.concatenate((self._known, more))
            new = numbers[self._known[numbers] == NOT_LOOKED_UP]
            if len(new):
                self._known[new] = UNKNOWN
                for number, row in self._look_up(new):
                    self._known[number] = row
            rows: Rows = self._known[numbers]
            return rows

    def _look_up(self, numbers: Numbers) -> list[tuple[int, int]]:
        found = self._store.database.execute(
            "SELECT id, term FROM terms WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(numbers.tolist()),),
        ).fetchall()
        rows = self._vectors.rows(term for _, term in found)
        return [(number, int(row)) for (number, _), row in zip(found, rows, strict=True)]
