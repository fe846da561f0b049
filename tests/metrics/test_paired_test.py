"""The paired test against an exact enumeration, and what must hold for any scores."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.metrics.metric import Row
from lacuna.metrics.statistics import PairedTest, paired_test

SOME = st.sampled_from([0.0, 0.25, 0.5, 1.0])
PAIRS = st.lists(st.tuples(st.integers(0, 2), SOME, SOME), min_size=2, max_size=9)
"""Of each question: how many groups after the last one it is, and its two scores."""


def columns(pairs: list[tuple[int, float, float]]) -> tuple[list[int], list[Row], list[Row]]:
    groups, group = [], 0
    for step, _, _ in pairs:
        group += step
        groups.append(group)
    return groups, [(a,) for _, a, _ in pairs], [(b,) for _, _, b in pairs]


def only(tests: dict[str, PairedTest | None]) -> PairedTest:
    (test,) = tests.values()
    assert test is not None
    return test


def exact(groups: list[int], rows: list[Row], baseline: list[Row]) -> float:
    """The share of all ways to swap whole groups that are at least as extreme."""
    distinct = sorted(set(groups))
    gains = [
        sum((a[0] or 0) - (b[0] or 0) for g, a, b in zip(groups, rows, baseline, strict=True)
            if g == group)
        for group in distinct
    ]  # fmt: skip
    observed = abs(sum(gains))
    sums = [
        abs(sum(sign * gain for sign, gain in zip(signs, gains, strict=True)))
        for signs in product((1, -1), repeat=len(gains))
    ]
    return sum(value >= observed - 1e-9 for value in sums) / len(sums)


@settings(max_examples=60)
@given(PAIRS)
def test_it_comes_close_to_the_exact_p_value(pairs: list[tuple[int, float, float]]) -> None:
    groups, rows, baseline = columns(pairs)
    test = only(paired_test(groups, rows, baseline, ["f1"]))
    assert test.p_value == pytest.approx(exact(groups, rows, baseline), abs=0.03)


@given(PAIRS)
def test_the_difference_is_that_of_the_means_and_turns_with_the_systems(
    pairs: list[tuple[int, float, float]],
) -> None:
    groups, rows, baseline = columns(pairs)
    there = only(paired_test(groups, rows, baseline, ["f1"], rounds=500, scale=100))
    back = only(paired_test(groups, baseline, rows, ["f1"], rounds=500, scale=100))
    means = [sum(row[0] or 0 for row in side) / len(side) for side in (rows, baseline)]
    assert there.difference == pytest.approx(100 * (means[0] - means[1]))
    assert back.difference == pytest.approx(-there.difference)
    assert back.p_value == there.p_value
    assert 1 / 501 <= there.p_value <= 1


@given(PAIRS)
def test_a_system_does_not_differ_from_itself(pairs: list[tuple[int, float, float]]) -> None:
    groups, rows, _ = columns(pairs)
    assert only(paired_test(groups, rows, rows, ["f1"], rounds=50)) == PairedTest(0.0, 1.0)


def test_questions_about_one_text_are_swapped_together() -> None:
    better: list[Row] = [(1.0,)] * 12
    worse: list[Row] = [(0.0,)] * 12
    assert only(paired_test([1] * 12, better, worse, ["f1"])).p_value == 1.0
    assert only(paired_test(range(12), better, worse, ["f1"])).p_value < 0.01


def test_questions_that_do_not_count_change_nothing() -> None:
    rows: list[Row] = [(1.0, None), (0.0, 1.0), (1.0, None), (1.0, None)]
    baseline: list[Row] = [(0.0, None), (0.0, 0.0), (0.0, None), (1.0, None)]
    tests = paired_test([1, 2, 3, 4], rows, baseline, ["f1", "rare"])
    assert tests["f1"] is not None
    assert tests["f1"].difference == 0.5
    assert tests["rare"] == PairedTest(1.0, 1.0), "one question can be swapped or not"
    nothing: list[Row] = [(None,), (None,)]
    assert paired_test([1, 2], nothing, nothing, ["f1"]) == {"f1": None}
    assert paired_test([], [], [], ["f1"]) == {"f1": None}


def test_the_same_scores_give_the_same_p_value() -> None:
    rows: list[Row] = [(n % 3 / 2,) for n in range(40)]
    baseline: list[Row] = [(n % 5 / 4,) for n in range(40)]
    first = paired_test(range(40), rows, baseline, ["f1"])
    assert paired_test(range(40), rows, baseline, ["f1"]) == first
    assert paired_test(range(40), rows, baseline, ["f1"], seed=1) != first
