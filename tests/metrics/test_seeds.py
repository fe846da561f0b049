from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lacuna.metrics.statistics import differs, spread, wilson

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=8)
TRIALS = st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_deviation_is_divided_by_the_number_of_runs() -> None:
    mean, deviation, runs = spread([0.5, 0.6, 0.7])
    assert mean == pytest.approx(0.6)
    assert deviation == pytest.approx(sqrt(0.02 / 3))
    assert runs == 3
    assert str(spread([0.5])) == "50.00 ± 0.0"


@given(SHARES, st.floats(-0.5, 0.5))
def test_runs_that_are_all_better_lie_as_far_apart(shares: list[float], by: float) -> None:
    one, other = spread(shares), spread(share + by for share in shares)
    assert other.mean == pytest.approx(one.mean + by)
    assert other.deviation == pytest.approx(one.deviation, abs=1e-9)
    assert min(shares) - 1e-12 <= one.mean <= max(shares) + 1e-12


def test_without_any_run_or_trial_nothing_is_said() -> None:
    with pytest.raises(ValueError, match="no run"):
        spread([])
    for right, total in ((0, 0), (3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="no share"):
            wilson(right, total)


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [  # by hand, with 1.959964² = 3.841459: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
        (0, 10, 0.0, 0.277533),  # z²/n / (1 + z²/n) = 0.3841459 / 1.3841459
        (10, 10, 0.722467, 1.0),
        (1, 1, 0.206549, 1.0),  # 1 / (1 + z²)
        (5, 10, 0.236593, 0.763407),  # 0.5 ± z √(0.025 + 0.00960365) / 1.3841459
    ],
)
def test_known_intervals(right: int, total: int, low: float, high: float) -> None:
    assert wilson(right, total) == pytest.approx((low, high), abs=1e-6)


@given(TRIALS)
def test_an_interval_holds_its_share(trial: tuple[int, int]) -> None:
    right, total = trial
    low, high = wilson(right, total)
    assert 0 <= low <= right / total <= high <= 1
    assert low < high


@given(TRIALS, st.integers(2, 50))
def test_more_trials_narrow_it(trial: tuple[int, int], times: int) -> None:
    right, total = trial
    few, many = wilson(right, total), wilson(times * right, times * total)
    assert many.high - many.low < few.high - few.low


@given(TRIALS)
def test_what_is_wrong_mirrors_what_is_right(trial: tuple[int, int]) -> None:
    right, total = trial
    low, high = wilson(right, total)
    assert wilson(total - right, total) == pytest.approx((1 - high, 1 - low))


@given(TRIALS, TRIALS)
def test_only_intervals_apart_differ(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert not differs(*one, *one)
    assert differs(*one, *other) == differs(*other, *one)
    assume(differs(*one, *other))
    first, second = sorted((wilson(*one), wilson(*other)))
    assert first.high < second.low
