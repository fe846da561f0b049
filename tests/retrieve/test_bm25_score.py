"""One formula for numbers and for arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.retrieve.bm25 import Bm25Weights, idf, term_weight

COUNT = st.integers(0, 1000)
POSITIVE = st.integers(1, 1000)


@given(st.lists(COUNT, min_size=1), COUNT)
def test_idf_of_an_array_is_that_of_its_numbers(holding: list[int], texts: int) -> None:
    single = [idf(texts, count) for count in holding]
    assert idf(texts, np.array(holding)) == pytest.approx(single, rel=1e-12)
    assert all(value > 0 for value in single)


@given(st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1), st.floats(0, 3), st.floats(0, 1))
def test_weights_of_an_array_are_those_of_its_numbers(
    pairs: list[tuple[int, int]], k1: float, b: float
) -> None:
    weights = Bm25Weights(k1, b)
    tf, length = np.array(pairs).T
    assert term_weight(tf, length, 7.0, weights, idf=2.0).tolist() == [
        term_weight(*pair, 7.0, weights, idf=2.0) for pair in pairs
    ]


def test_the_formula() -> None:
    assert idf(9, 2) == math.log(1 + 7.5 / 2.5)
    norm = 1.2 * (1 - 0.75 + 0.75 * 12 / 10)
    expected = 1.5 * 3 * 2.2 / (3 + norm)
    assert term_weight(3, 12, 10.0, Bm25Weights(1.2, 0.75), idf=1.5) == pytest.approx(expected)


def test_a_term_that_all_texts_and_more_hold_still_counts() -> None:
    assert idf(3, 5) > 0, "removed texts may still be counted"
