"""BM25, for every search that ranks by words:

    idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))

``idf`` and ``term_weight`` take numbers or arrays: the windows of a few documents are scored one
by one, the sentences of a knowledge base all at once when it is built.

``passage_scores`` scores the passages of a corpus. tantivy has k1 = 1.2 and b = 0.75 built in, and
rounds the lengths of passages; so it is asked for more candidates than wanted, and these are scored
here, exactly: summed over the terms of the query (each once) and the two fields, title and body. As
in BM25F, a term has one idf, which counts the passages that have it in either field.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from lacuna.corpus.document_rows import NUMBER

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[Any]
FIELDS = ("title", "body")


@dataclass(frozen=True, slots=True)
class Bm25Weights:
    """The constants of BM25: k1, b, and how much each field counts."""

    k1: float = 0.9
    b: float = 0.4
    fields: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """What BM25 knows of the whole corpus: average lengths of the fields, idf of each term."""

    average: tuple[float, float]
    idf: Floats


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


def passage_scores(
    terms: Sequence[int],
    blobs: Sequence[bytes],
    title_terms: Sequence[int],
    statistics: CorpusStatistics,
    weights: Bm25Weights,
) -> Floats:
    """The scores of some passages, each given as the bytes of its terms (title's first)."""
    sizes = np.array([len(blob) for blob in blobs], np.int64) // NUMBER.itemsize
    titles = np.array(title_terms, np.int64)
    lengths = np.stack((titles, sizes - titles), axis=1)  # passages x fields
    all_terms = np.frombuffer(b"".join(blobs), NUMBER)
    order = np.argsort(terms)
    query = np.array(terms, NUMBER)[order]
    which = np.searchsorted(query, all_terms)
    which[which == len(query)] = 0
    matches = np.flatnonzero(query[which] == all_terms)
    # The field that each matching term stands in: fields end where the lengths add up to.
    field = np.searchsorted(np.cumsum(lengths.ravel()), matches, side="right")
    counts = np.bincount(field * len(query) + which[matches], minlength=lengths.size * len(query))
    tf = counts.reshape(len(blobs), len(FIELDS), len(query))
    average = np.maximum(np.array(statistics.average), 1e-9)
    # A term that is missing weighs nothing, even where k1 is 0 and the formula has no value.
    parts = term_weight(np.maximum(tf, 1), lengths[:, :, None], average[:, None], weights)
    parts *= tf > 0
    scores: Floats = np.einsum("pft,t,f->p", parts, statistics.idf[order], np.array(weights.fields))
    return scores
