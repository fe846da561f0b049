"""How alike a question and a passage are where they do not share the words.

Two measures, both from the vectors of terms alone, with no network:

- Term by term: a term of the question that the passage lacks is looked for in other words. It
  counts by the cosine of the likest term that the passage has, above a threshold, and by how rare
  it is in the corpus. So "deleting a folder" finds a passage about "removing a directory".
- As wholes: the cosine of the two sums of all terms, each with its weight.

Words that are shared are not counted by the first: BM25 has counted them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lacuna.retrieve.term_vectors import Floats, Rows, TermVectors

Numbers = npt.NDArray[np.uint32]
BY_TERM, AS_WHOLES = 1.0, 0.5
"""What the two count beside the score of the best passage (benchmarks/results/dense.md)."""
LEAST = 0.3
"""Terms whose cosine is lower have nothing to do with each other."""
HAS_IT = 2.0
"""More than any cosine."""


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
    alike[passages.numbers[:, None] == asked.numbers] = HAS_IT
    best = np.maximum.reduceat(alike[passages.places], passages.starts, axis=0)
    best = np.where(best == HAS_IT, 0, np.maximum(best - LEAST, 0) / (1 - LEAST))
    rarity = asked.rarity / np.maximum(asked.rarity.sum(), 1e-9)
    said *= vectors.weights(passages.rows)[:, None]
    sums = np.add.reduceat(said[passages.places], passages.starts, axis=0)
    whole = vectors.weights(asked.rows) @ wanted
    lengths = np.linalg.norm(sums, axis=1) * np.linalg.norm(whole)
    cosines = (sums @ whole) / np.maximum(lengths, 1e-9)
    found: Floats = BY_TERM * (best @ rarity) + AS_WHOLES * np.maximum(cosines, 0)
    return found
