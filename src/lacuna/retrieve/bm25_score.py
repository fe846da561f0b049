"""BM25 with any k1 and b, computed from the terms of the passages themselves.

tantivy has k1 = 1.2 and b = 0.75 built in, and rounds the lengths of passages. So it is asked
for more candidates than wanted, and these are scored here, exactly:

    idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))

summed over the terms of the query (each once) and the two fields, title and body. As in BM25F,
a term has one idf: it counts the passages that have it in either field.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lacuna.corpus.document_rows import NUMBER

Floats = npt.NDArray[np.float64]
FIELDS = ("title", "body")


@dataclass(frozen=True, slots=True)
class Weights:
    """What BM25 is told: k1, b, and how much a field counts."""

    k1: float
    b: float
    fields: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 knows of the whole store: average lengths of the fields, idf of each term."""

    average: tuple[float, float]
    idf: Floats


def idf(passages: int, holding: int) -> float:
    """How much a term says; ``holding`` may still count passages that are gone."""
    return math.log1p((max(passages - holding, 0) + 0.5) / (holding + 0.5))


def bm25(
    terms: Sequence[int],
    blobs: Sequence[bytes],
    title_terms: Sequence[int],
    statistics: Statistics,
    weights: Weights,
) -> Floats:
    """The scores of some passages, each given as the bytes of its terms (title's first)."""
    sizes = np.array([len(blob) for blob in blobs], np.int64) // NUMBER.itemsize
    titles = np.array(title_terms, np.int64)
    lengths = np.stack((titles, sizes - titles), axis=1)  # passages x fields
    seen = np.frombuffer(b"".join(blobs), NUMBER)
    order = np.argsort(terms)
    query = np.array(terms, NUMBER)[order]
    which = np.searchsorted(query, seen)
    which[which == len(query)] = 0
    hits = np.flatnonzero(query[which] == seen)
    # The field that each matching term stands in: fields end where the lengths add up to.
    field = np.searchsorted(np.cumsum(lengths.ravel()), hits, side="right")
    counted = np.bincount(field * len(query) + which[hits], minlength=lengths.size * len(query))
    tf = counted.reshape(len(blobs), len(FIELDS), len(query)).astype(np.float64)
    average = np.maximum(np.array(statistics.average), 1e-9)
    norm = weights.k1 * (1 - weights.b + weights.b * lengths / average)
    parts = np.divide(
        tf * (weights.k1 + 1), tf + norm[:, :, None], out=np.zeros_like(tf), where=tf > 0
    )
    scores: Floats = np.einsum("pft,t,f->p", parts, statistics.idf[order], np.array(weights.fields))
    return scores
