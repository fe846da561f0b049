"""BM25, and of what it finds first the passages that also say it in other words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from lacuna.corpus.store import PassageRows, PassageView, Store
from lacuna.errors import LacunaError
from lacuna.files.checksums import read_checksums, remove_checksums, write_checksums
from lacuna.retrieve.bm25 import Bm25Retriever, QueryTerms
from lacuna.retrieve.bm25 import Floats as Scores

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
SHIPPED = Path(__file__).parent.parent / "assets" / "models" / "terms"
TERMS, DIRECTIONS, WEIGHTS = "terms.txt", "directions.npy", "weights.npy"
UNKNOWN = -1
"""The row of a term that the table does not have."""


class TermVectors:
    """The vectors in a folder; several threads may share them."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        checksums = read_checksums(folder)
        if checksums is not None and (hit := checksums.damaged(folder)):
            raise LacunaError(
                f"the term vectors in {folder} are damaged: {', '.join(hit)} is not as it was "
                "written. Get them again."
            )
        try:
            terms = (folder / TERMS).read_text(encoding="utf-8").split()
            self._directions = np.load(folder / DIRECTIONS, mmap_mode="r")
            self._weights = np.load(folder / WEIGHTS)
        except (OSError, ValueError) as problem:
            raise LacunaError(
                f"the term vectors in {folder} cannot be read: {problem}. Get them again."
            ) from problem
        if not len(terms) == len(self._directions) == len(self._weights):
            raise LacunaError(f"the files of the term vectors in {folder} do not belong together.")
        self._rows = {term: row for row, term in enumerate(terms)}

    def rows(self, terms: Iterable[str]) -> Rows:
        """The row of each term in the table, or ``UNKNOWN``."""
        return np.array([self._rows.get(term, UNKNOWN) for term in terms], np.int32)

    def directions(self, rows: Rows) -> Floats:
        """Vectors of length 1; those of unknown terms are 0, so that they are like nothing."""
        vectors: Floats = self._directions[rows].astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        vectors[rows == UNKNOWN] = 0
        return vectors

    def weights(self, rows: Rows) -> Floats:
        """A weight for each term, by how much it tells of a text's subject; nothing where it is
        unknown."""
        weights: Floats = np.where(rows == UNKNOWN, np.float32(0), self._weights[rows])
        return weights


@cache
def shipped_vectors() -> TermVectors:
    """The shipped vectors, loaded once."""
    return TermVectors()


def write_vectors(folder: Path, terms: list[str], vectors: Floats) -> None:
    """Write a table; directions are rounded to 8 bits."""
    weights = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    (folder / TERMS).write_text("\n".join(terms) + "\n", encoding="utf-8")
    np.save(folder / DIRECTIONS, np.rint(vectors / largest * 127).astype(np.int8))
    np.save(folder / WEIGHTS, weights.astype(np.float32))
    write_checksums(folder, (TERMS, DIRECTIONS, WEIGHTS))


# How alike a question and a passage are, also where they do not share the words.
#
# Two measures, both from the vectors of terms alone, with no network:
#
# - Term by term: each term of the question looks for the likest term of the passage. It counts 1 if
#   the passage has it, else by the cosine of the two, and by how rare it is in the corpus. So
#   "deleting a folder" finds a passage about "removing a directory", and a passage that says one
#   word very often gains nothing by that.
# - As wholes: the cosine of the two sums of all terms, each with its weight.


Numbers = npt.NDArray[np.unsignedinteger[Any]]
BY_TERM, AS_WHOLES = 1.0, 0.25
"""The weights of the two beside the score of the best passage (benchmarks/results/dense.md)."""


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """The different terms of a question: their numbers in the store, rows, and rarity (idf)."""

    numbers: Numbers
    rows: Rows
    rarity: Floats


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """The terms of some passages: which different ones there are, and where each passage has them.

    ``numbers`` and ``rows`` are of the different terms; ``places`` points into them, for one
    passage after the other; passage ``i`` begins at ``starts[i]``. No passage is empty.
    """

    numbers: Numbers
    rows: Rows
    places: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]


def likeness(asked: AskedTerms, passages: PassageTerms, vectors: TermVectors) -> Floats:
    """The amount to add to scores of at most 1; never less than 0."""
    wanted, said = vectors.directions(asked.rows), vectors.directions(passages.rows)
    alike = said @ wanted.T
    alike[passages.numbers[:, None] == asked.numbers] = 1
    best = np.maximum.reduceat(alike[passages.places], passages.starts, axis=0)
    rarity = asked.rarity / np.maximum(asked.rarity.sum(), 1e-9)
    said *= vectors.weights(passages.rows)[:, None]
    sums = np.add.reduceat(said[passages.places], passages.starts, axis=0)
    whole = vectors.weights(asked.rows) @ wanted
    lengths = np.linalg.norm(sums, axis=1) * np.linalg.norm(whole)
    cosines = (sums @ whole) / np.maximum(lengths, 1e-9)
    found: Floats = BY_TERM * (np.maximum(best, 0) @ rarity) + AS_WHOLES * np.maximum(cosines, 0)
    return found


# BM25, and of what it finds first the passages that also say it in other words.
#
# BM25 proposes; its first passages are ranked again by their scores and their likeness to the
# query (``likeness``). The store has the terms of every passage already, so nothing more is
# indexed, no document is read, and no network runs.


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

    def _scores(self, query: QueryTerms, candidates: PassageRows, view: PassageView) -> Scores:
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
    """The row of the vectors for each term of a store, by the term's number.

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
