"""How alike questions and passages are, beside the plain definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.retrieve.hybrid import (
    AS_WHOLES,
    BY_TERM,
    AskedTerms,
    PassageTerms,
    TermVectors,
    likeness,
    write_vectors,
)

TERMS = ["a", "b", "c", "d", "e"]
KNOWN = len(TERMS)
Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> TermVectors:
    folder: Path = tmp_path_factory.mktemp("vectors")
    table = np.random.default_rng(7).normal(size=(KNOWN, 4)).astype(np.float32)
    write_vectors(folder, TERMS, table)
    return TermVectors(folder)


def rows_of(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([number if number < KNOWN else -1 for number in numbers], np.int32)


def plain(
    question: list[int], passage: list[int], rarity: list[float], vectors: TermVectors
) -> float:
    """The definition, term by term."""

    def cosine(one: Vector, other: Vector) -> float:
        lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float(one @ other) / lengths if lengths > 1e-6 else 0.0

    def vector(number: int) -> Vector:
        row = rows_of([number])
        weighed: Vector = vectors.directions(row)[0] * vectors.weights(row)[0]
        return weighed

    by_term = 0.0
    for term, rare in zip(question, rarity, strict=True):
        likest = max(
            1.0 if said == term else cosine(vector(term), vector(said)) for said in passage
        )
        by_term += max(likest, 0) * rare / sum(rarity)
    one, other = (sum(map(vector, text), np.zeros(4, np.float32)) for text in (question, passage))
    return BY_TERM * by_term + AS_WHOLES * max(cosine(one, other), 0)


numbers = st.integers(0, 8)  # 5 to 8 are unknown to the table


@settings(max_examples=60)
@given(
    st.lists(numbers, min_size=1, max_size=4, unique=True),
    st.lists(st.lists(numbers, min_size=1, max_size=6), min_size=1, max_size=4),
    st.lists(st.floats(0.1, 9), min_size=4, max_size=4),
)
def test_likeness_is_its_definition(
    vectors: TermVectors, question: list[int], passages: list[list[int]], rarity: list[float]
) -> None:
    different, places = np.unique(np.concatenate(passages), return_inverse=True)
    starts = np.cumsum([0, *(len(passage) for passage in passages[:-1])])
    rarity = rarity[: len(question)]
    got = likeness(
        AskedTerms(np.array(question, np.uint32), rows_of(question), np.array(rarity, np.float32)),
        PassageTerms(different.astype(np.uint32), rows_of(different.tolist()), places, starts),
        vectors,
    )
    expected = [plain(question, passage, rarity, vectors) for passage in passages]
    assert got == pytest.approx(expected, abs=1e-4)
