"""BM25, and of what it finds first the passages that also say it in other words.

BM25 proposes; its first passages are ranked again by their scores and their likeness to the query
(``likeness``). The store has the terms of every passage already, so nothing more is indexed, no
document is read, and no network runs.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from lacuna.corpus.document_rows import NUMBER
from lacuna.corpus.passage_index import PassageRows, PassageView
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever, QueryTerms
from lacuna.retrieve.likeness import AskedTerms, Numbers, PassageTerms, likeness
from lacuna.retrieve.passage_score import Floats
from lacuna.retrieve.term_vectors import UNKNOWN, Rows, TermVectors, shipped_vectors

PROPOSED = 100
"""Passages of BM25 that are ranked again (benchmarks/results/dense.md: what other numbers give)."""
NOT_LOOKED_UP = -2


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
            np.array(query.weighed.terms, np.uint32),
            self._vectors.rows(query.terms),
            query.weighed.idf.astype(np.float32),
        )
        blobs = [candidates.blobs[place] for place in first]
        numbers, places = np.unique(np.frombuffer(b"".join(blobs), NUMBER), return_inverse=True)
        starts = np.cumsum([0, *(len(blob) // NUMBER.itemsize for blob in blobs[:-1])])
        passages = PassageTerms(numbers, self._rows.of(numbers, view), places, starts)
        scores[first] += likeness(asked, passages, self._vectors)
        return scores


class _RowsOfTerms:
    """Which row of the vectors each term of a store has, by the term's number.

    A number means the same term for ever, so each is looked up once; four bytes for each remain.
    """

    def __init__(self, vectors: TermVectors) -> None:
        self._vectors = vectors
        self._known = np.full(0, NOT_LOOKED_UP, np.int32)
        self._lock = Lock()

    def of(self, numbers: Numbers, view: PassageView) -> Rows:
        """The rows of some terms; the numbers ascend."""
        with self._lock:
            if numbers[-1] >= len(self._known):
                more = np.full(2 * int(numbers[-1]) + 1 - len(self._known), NOT_LOOKED_UP, np.int32)
                self._known = np.concatenate((self._known, more))
            new = numbers[self._known[numbers] == NOT_LOOKED_UP]
            if len(new):
                self._known[new] = UNKNOWN
                for number, row in self._look_up(view.terms(new.tolist())):
                    self._known[number] = row
            rows: Rows = self._known[numbers]
            return rows

    def _look_up(self, found: list[tuple[int, str]]) -> list[tuple[int, int]]:
        rows = self._vectors.rows(term for _, term in found)
        return [(number, int(row)) for (number, _), row in zip(found, rows, strict=True)]
