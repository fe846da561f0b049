"""Vectors of terms: which words of a question and of a passage mean nearly the same.

The table holds the commonest terms of English as the index has them (stems), each with a direction
and a weight. No network runs when texts are compared; the table was learned once
(``lacuna.train.terms.learning``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lacuna.errors import LacunaError
from lacuna.files.checksums import read_checksums, remove_checksums, write_checksums

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
        """Where the table has each term, or ``UNKNOWN``."""
        return np.array([self._rows.get(term, UNKNOWN) for term in terms], np.int32)

    def directions(self, rows: Rows) -> Floats:
        """Vectors of length 1; those of unknown terms are 0, so that they are like nothing."""
        vectors: Floats = self._directions[rows].astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        vectors[rows == UNKNOWN] = 0
        return vectors

    def weights(self, rows: Rows) -> Floats:
        """How much each term tells of what a text is about; nothing where it is unknown."""
        weights: Floats = np.where(rows == UNKNOWN, np.float32(0), self._weights[rows])
        return weights


@cache
def shipped_vectors() -> TermVectors:
    """Those that come along, loaded once."""
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
