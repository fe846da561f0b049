"""How alike a question and a passage are, also where they do not share the words.

Two measures, both from the vectors of terms alone, with no network:

- Term by term: each term of the question looks for the likest term of the passage. It counts 1 if
  the passage has it, else by the cosine of the two, and by how rare it is in the corpus. So
  "deleting a folder" finds a passage about "removing a directory", and a passage that says one
  word very often gains nothing by that.
- As wholes: the cosine of the two sums of all terms, each with its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lacuna.retrieve.term_vectors import Floats, Rows, TermVectors

Numbers = npt.NDArray[np.unsignedinteger[Any]]
BY_TERM, AS_WHOLES = 1.0, 0.25
"""What the two count beside the score of the best passage (benchmarks/results/dense.md)."""


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
    """What is to be added to scores of at most 1; never less than 0."""
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
