"""How well passages answer a query: BM25F, and a bonus for words that stand together.

A passage has three fields: the title of its document, the headings above it, its own text. The
count of a term in each is divided by how long the field is beside the average, weighed, and added
up; that sum takes the place of the count in BM25, so a word that the title has says little more
in the text, and the other way round. A term has one idf, which counts the passages that have it in
any field:

    tf = sum over fields of weight * count / (1 - b + b * length / average length)
    score = sum over terms of idf * tf * (k1 + 1) / (tf + k1)

Two words that are neighbours in the query and stand in a field the same way ("version 4.6.1") are a
term too, as in the sequential dependence model, with the lower idf of the two and a small weight.
The passage that begins a document, which most often says what the document is about, counts more.

tantivy has k1 = 1.2, b = 0.75 and one field built in, and rounds the lengths of passages; so it is
asked for more candidates than wanted, and these are scored here, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lacuna.corpus.passage_index import FIELDS, Averages, PassageRows

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

PAIR = 0.3
"""The weight of two words that stand next to each other as they do in the query."""
BEGINNING = 0.1
"""The share by which the score of a document's first passage is raised."""


@dataclass(frozen=True, slots=True)
class PassageWeights:
    """The constants of BM25F: k1, b, and how much each field counts."""

    k1: float = 0.9
    b: float = 0.4
    fields: tuple[float, float, float] = (2.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class WeighedQuery:
    """The different terms of a query by their numbers, the idf of each, and which are neighbours.

    ``pairs`` name two terms by their places in ``terms``.
    """

    terms: Sequence[int]
    idf: Floats
    pairs: Sequence[tuple[int, int]] = ()


def passage_scores(
    query: WeighedQuery,
    passages: PassageRows,
    average: Averages,
    weights: PassageWeights,
) -> Floats:
    """The scores of some passages; ``average`` are the lengths of the fields in the corpus."""
    sizes = np.array([len(blob) for blob in passages.blobs], np.int64)
    sizes //= passages.number.itemsize
    above = np.array((passages.title_terms, passages.heading_terms), np.int64)
    lengths = np.stack((*above, sizes - above.sum(axis=0)), axis=1)  # passages x fields
    all_terms = np.frombuffer(b"".join(passages.blobs), passages.number)
    numbers = np.array(query.terms, passages.number)
    order = np.argsort(numbers)
    numbers = numbers[order]
    found = np.minimum(np.searchsorted(numbers, all_terms), len(numbers) - 1)
    which = np.where(numbers[found] == all_terms, order[found], -1)
    places = np.flatnonzero(which >= 0)
    # The field that each matching term stands in: fields end where the lengths add up to.
    ends = np.cumsum(lengths.ravel())
    field = np.searchsorted(ends, places, side="right")
    score = _terms_score(query, which[places], field, lengths, average, weights)
    if len(query.pairs):
        score += _pairs_score(query, which, places, field, ends, weights.k1)
    raised: Floats = score * (1 + BEGINNING * np.array(passages.begins))
    return raised


def _terms_score(
    query: WeighedQuery,
    term: Integers,
    field: Integers,
    lengths: Integers,
    average: Averages,
    weights: PassageWeights,
) -> Floats:
    terms = len(query.terms)
    counts = np.bincount(field * terms + term, minlength=lengths.size * terms)
    relative = lengths / np.maximum(np.array(average), 1e-9)
    norm = np.maximum(1 - weights.b + weights.b * relative, 1e-9)
    share = np.array(weights.fields) / norm  # what one more of a term adds
    tf = np.einsum("pft,pf->pt", counts.reshape(*lengths.shape, terms), share)
    return _saturated(tf, weights.k1) @ query.idf


def _pairs_score(
    query: WeighedQuery,
    which: Integers,
    places: Integers,
    field: Integers,
    ends: Integers,
    k1: float,
) -> Floats:
    terms = len(query.terms)
    pair_of = np.full((terms, terms), -1)
    for number, (first, second) in enumerate(query.pairs):
        pair_of[first, second] = number
    inside = places + 1 < ends[field]  # the next term is in the same field
    places, field = places[inside], field[inside]
    after = which[places + 1]
    pair = np.where(after >= 0, pair_of[which[places], after], -1)
    cell = (field // len(FIELDS)) * len(query.pairs) + pair
    size = len(ends) // len(FIELDS) * len(query.pairs)
    counts = np.bincount(cell[pair >= 0], minlength=size).astype(np.float64)
    rarity = query.idf[np.array(query.pairs)].min(axis=1)
    score: Floats = PAIR * (_saturated(counts.reshape(-1, len(query.pairs)), k1) @ rarity)
    return score


def _saturated(tf: Floats, k1: float) -> Floats:
    # A term that is missing weighs nothing, even where k1 is 0 and the formula has no value.
    return np.divide(tf * (k1 + 1), tf + k1, out=np.zeros_like(tf), where=tf > 0)
