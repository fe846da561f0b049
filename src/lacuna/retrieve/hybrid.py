"""BM25, and of what it finds first the passages that also say it in other words.

BM25 proposes; its first passages are ranked again by their scores and their likeness to the query
(``likeness``). The store has the terms of every passage already, so nothing more is indexed, no
document is read, and no network runs.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from lacuna.corpus.passage_index import PassageRows, PassageView
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever, QueryTerms
from lacuna.retrieve.likeness import AskedTerms, Numbers, PassageTerms, likeness
from lacuna.retrieve.passage_score import Floats
from lacuna.retrieve.term_vectors import UNKNOWN, Rows, TermVectors, shipped_vectors

PROPOSED = 100
"""Passages of BM25 that are ranked again (benchmarks/results/dense.md: what other numbers give)."""


class HybridRetriever(Bm25Retriever):
    """Searches by words, and ranks by words and their likeness.

    A score is the share of what the best passage has by BM25, and the likeness.

    >>> from lacuna.corpus.open import open_store
    >>> HybridRetriever(open_store()).search("summit of Carrow Fell", k=1)[0].title
    'Carrow Fell'
    """

    def __init__(self, store: Store, *, vectors: TermVectors | None = None) -> None:
        super().__init__(store)
        self._vectors = vectors or shipped_vectors()
        self._rows = _RowsOfTerms(self._vectors)

    def _scores(self, query: QueryTerms, candidates: PassageRows, view: PassageView) -> Floats:
        scores = super()._scores(query, candidates, view)
        scores /= max(scores.max(), 1e-9)
        # The others have lower scores by BM25 and nothing added: they follow in its order.
        first = np.argsort(-scores, kind="stable")[:PROPOSED]
        asked = AskedTerms(
            np.array(query.weighed.terms, candidates.number),
            self._vectors.rows(query.terms),
            query.weighed.idf.astype(np.float32),
        )
        blobs = [candidates.blobs[place] for place in first]
        every = np.frombuffer(b"".join(blobs), candidates.number)
        numbers, places = np.unique(every, return_inverse=True)
        starts = np.cumsum([0, *(len(blob) // every.itemsize for blob in blobs[:-1])])
        passages = PassageTerms(numbers, self._rows.of(numbers, view), places, starts)
        scores[first] += likeness(asked, passages, self._vectors)
        return scores


class _RowsOfTerms:
    """Which row of the vectors each term of a store has, by the term's number.

    A number means the same term for ever, so each is looked up once; twelve bytes for each remain.
    """

    def __init__(self, vectors: TermVectors) -> None:
        self._vectors = vectors
        self._known: Numbers = np.zeros(0, np.uint64)  # ascending
        self._row_of: Rows = np.zeros(0, np.int32)
        self._lock = Lock()

    def of(self, numbers: Numbers, view: PassageView) -> Rows:
        """The rows of some terms; the numbers ascend."""
        with self._lock:
            at = np.searchsorted(self._known, numbers)
            there = np.append(self._known, 0)[at] == numbers
            if len(new := numbers[~there]):
                found = view.terms(new.tolist())
                rows = np.full(len(new), UNKNOWN, np.int32)
                places = np.searchsorted(new, np.array([number for number, _ in found], new.dtype))
                rows[places] = self._vectors.rows(term for _, term in found)
                self._known = np.insert(self._known, at[~there], new)
                self._row_of = np.insert(self._row_of, at[~there], rows)
                at = np.searchsorted(self._known, numbers)
            return self._row_of[at]
