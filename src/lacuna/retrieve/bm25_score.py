"""BM25, for every search that ranks by words:

    idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))

``idf`` and ``term_weight`` take numbers or arrays: the windows of a few documents are scored one
by one, the sentences of a knowledge base all at once when it is built.

The passages of a corpus, which have several fields, are scored by ``passage_score``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Bm25Weights:
    """The constants of BM25."""

    k1: float = 0.9
    b: float = 0.4


@overload
def idf(texts: int, holding: int) -> float: ...
@overload
def idf(texts: int, holding: Counts) -> Floats: ...
def idf(texts: int, holding: int | Counts) -> float | Floats:
    """How much a term tells, by how many of the texts hold it.

    ``holding`` may be larger than ``texts`` where it still counts texts that were removed.

    >>> round(idf(10, 1), 3), round(idf(10, 10), 3)
    (1.992, 0.047)
    """
    if isinstance(holding, np.ndarray):
        rarity: Floats = np.log1p((np.maximum(texts - holding, 0) + 0.5) / (holding + 0.5))
        return rarity
    return math.log1p((max(texts - holding, 0) + 0.5) / (holding + 0.5))


@overload
def term_weight(
    tf: float, length: float, average: float, weights: Bm25Weights, *, idf: float = 1.0
) -> float: ...
@overload
def term_weight(
    tf: Counts,
    length: Counts,
    average: float | Floats,
    weights: Bm25Weights,
    *,
    idf: float | Floats = 1.0,
) -> Floats: ...
def term_weight(
    tf: float | Counts,
    length: float | Counts,
    average: float | Floats,
    weights: Bm25Weights,
    *,
    idf: float | Floats = 1.0,
) -> float | Floats:
    """What a term that stands ``tf`` times in a text of that length adds to the text's score.

    >>> round(term_weight(2, 10, 10.0, Bm25Weights(k1=1.0, b=0.5)), 3)
    1.333
    """
    norm = weights.k1 * (1 - weights.b + weights.b * length / average)
    return idf * tf * (weights.k1 + 1) / (tf + norm)
