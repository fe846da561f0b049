"""The arrays give what the formula gives, passage by passage."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.rows import NUMBER
from lacuna.corpus.store import PassageRows
from lacuna.retrieve.bm25 import BEGINNING, PAIR, PassageWeights, WeighedQuery, passage_scores

Fields = tuple[list[int], list[int], list[int]]
TERMS = st.lists(st.integers(1, 5), max_size=8)
AVERAGE = (1.5, 2.0, 4.0)
RARITY = {1: 0.5, 2: 1.0, 3: 2.0, 4: 0.1}


def by_hand(passage: Fields, terms: list[int], weights: PassageWeights) -> float:
    def saturated(tf: float) -> float:
        return tf * (weights.k1 + 1) / (tf + weights.k1) if tf else 0.0

    score = 0.0
    for term in set(terms):
        tf = 0.0
        for field, weight, mean in zip(passage, weights.fields, AVERAGE, strict=True):
            norm = 1 - weights.b + weights.b * len(field) / mean
            tf += weight * field.count(term) / norm if term in field else 0.0
        score += RARITY[term] * saturated(tf)
    for pair in set(pairwise(terms)):
        count = sum(list(pairwise(field)).count(pair) for field in passage)
        score += PAIR * min(RARITY[pair[0]], RARITY[pair[1]]) * saturated(count)
    return score


@given(
    st.lists(st.tuples(TERMS, TERMS, TERMS), min_size=1, max_size=5),
    st.lists(st.integers(1, 4), min_size=1, max_size=6),
    st.sampled_from(
        [PassageWeights(), PassageWeights(0.0, 0.0), PassageWeights(2.0, 1.0, (0, 3, 1))]
    ),
)
def test_scores_of_many_are_those_of_each(
    passages: list[Fields], terms: list[int], weights: PassageWeights
) -> None:
    different = list(dict.fromkeys(terms))
    query = WeighedQuery(
        different,
        np.array([RARITY[term] for term in different]),
        [(different.index(a), different.index(b)) for a, b in dict.fromkeys(pairwise(terms))],
    )
    found = PassageRows(
        range(len(passages)),
        [
            np.array([*title, *headings, *body], NUMBER).tobytes()
            for title, headings, body in passages
        ],
        [len(title) for title, _, _ in passages],
        [len(headings) for _, headings, _ in passages],
        [number == 0 for number in range(len(passages))],
    )
    expected = [by_hand(passage, terms, weights) for passage in passages]
    expected[0] *= 1 + BEGINNING
    assert passage_scores(query, found, AVERAGE, weights) == pytest.approx(expected)
