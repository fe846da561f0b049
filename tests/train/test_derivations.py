from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.arithmetic import HUNDRED, calculate
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna_lab.train.instances import derivations


def test_single_and_pair_are_both_kept() -> None:
    quantities = find_quantities("7 of 12, then 5")
    assert derivations(7, quantities, "How many?") == [((0, 1),), ((1, 1), (2, -1))]


def test_sums_are_found_once() -> None:
    quantities = find_quantities("5 and 7 and 8")
    assert derivations(12, quantities, "How many?") == [((0, 1), (1, 1))]
    assert derivations(20, quantities, "How many?") == [((0, 1), (1, 1), (2, 1))]
    assert derivations(0, find_quantities("5 and 5"), "How many?") == [((0, 1), (1, -1))]


def test_float_noise_is_forgiven() -> None:
    quantities = find_quantities("0.1% and 0.2%")
    assert derivations(0.3, quantities, "How many percent?") == [((0, 1), (1, 1))]


def test_hundred_is_only_subtracted_from() -> None:
    quantities = [HUNDRED, *find_quantities("37.5% and 22%")]
    question = "How many percent were not?"
    assert derivations(62.5, quantities, question) == [((0, 1), (1, -1))]
    assert derivations(40.5, quantities, question) == [((0, 1), (1, -1), (2, -1))]
    assert derivations(100, quantities, question) == []
    assert derivations(122, quantities, question) == []


def test_time_between_dates_follows_the_question() -> None:
    quantities = find_quantities("30 December 1986 – 27 February 1987")
    assert derivations(59, quantities, "How many days?") == [((1, 1), (0, -1))]
    assert derivations(2, quantities, "How many months?") == [((1, 1), (0, -1))]
    assert derivations(1, quantities, "How many years?") == [((1, 1), (0, -1))]
    assert derivations(1, quantities, "How many days?") == []
    assert derivations(-1, quantities, "How many years?") == []


def test_triples_need_a_short_text() -> None:
    few = [Quantity(i, i + 1, float(4**i)) for i in range(5)]
    many = [*few, *(Quantity(i, i + 1, 0.5) for i in range(5, 40))]
    assert derivations(1 + 4 + 16, few, "How many?") == [((0, 1), (1, 1), (2, 1))]
    assert derivations(1 + 4 + 16, many, "How many?") == []


def test_limit() -> None:
    alike = [Quantity(i, i + 1, 3.0) for i in range(100)]
    assert len(derivations(3, alike, "How many?")) == 64
    assert len(derivations(6, alike, "How many?", limit=5)) == 5


@pytest.mark.parametrize("question", ["How many?", "How many days?", "How many months?"])
def test_nothing_comes_of_nothing(question: str) -> None:
    assert derivations(3, [], question) == []
    assert derivations(3, [HUNDRED], question) == []


WORDS = "1;2;3;5.5;40;37%;1984;1986;May 1986;3 May 1986;30 December 1985;first;$3 million"
texts = st.lists(st.sampled_from(WORDS.split(";")), max_size=8).map(" ; ".join)
questions = st.sampled_from(
    ["How many?", "How old was he?", "How many days passed?", "How many months passed?"]
)
targets = st.sampled_from([0, 1, 2, 3, 4, 5, 5.5, 6, 8.5, 60, 63, 124, 1984, 3970, -1])


@given(targets, texts, questions, st.booleans())
def test_every_derivation_gives_the_target(
    target: float, text: str, question: str, with_hundred: bool
) -> None:
    quantities = [*([HUNDRED] if with_hundred else []), *find_quantities(text)]
    found = derivations(target, quantities, question)
    for derivation in found:
        terms = [(sign, quantities[index]) for index, sign in derivation]
        assert calculate(terms, question).value == pytest.approx(target, abs=1e-3)
        assert len({index for index, _ in derivation}) == len(derivation)
    assert len({frozenset(derivation) for derivation in found}) == len(found)
