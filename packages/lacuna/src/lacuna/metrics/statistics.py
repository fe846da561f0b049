"""Intervals and tests: bootstrap, approximate randomisation, spread over seeds, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, pstdev
from typing import TYPE_CHECKING, Final, NamedTuple

from lacuna.metrics.metric import Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


SAMPLES = 1000
SEED = 20201116
BATCH = 10


def intervals(
    groups_of: Sequence[int], rows: Sequence[Row], measures: Sequence[str], scale: float
) -> dict[str, tuple[float, float] | None]:
    """The interval of each measure's mean; None where there are too few contexts to tell."""
    if not rows or groups_of[0] == groups_of[-1]:
        return dict.fromkeys(measures)
    import numpy as np

    table = np.array(rows, dtype=float)  # questions x measures, nan where one does not count
    counted = ~np.isnan(table)
    first = np.flatnonzero(np.diff(groups_of, prepend=groups_of[0] - 1))
    groups = len(first)
    # What a group adds to each measure's sum and to its count; counts are mostly alike.
    totals = np.add.reduceat(np.where(counted, table, 0.0), first)
    counts, alike = _distinct_columns(np.add.reduceat(counted.astype(float), first))
    random = np.random.Generator(np.random.SFC64(SEED))  # the quickest of numpy's
    means = []
    for _ in range(SAMPLES // BATCH):
        drawn = random.integers(groups, size=(BATCH, groups), dtype=np.int32)
        drawn += groups * np.arange(BATCH, dtype=np.int32)[:, None]
        times = np.bincount(drawn.ravel(), minlength=BATCH * groups)
        weights = times.reshape(BATCH, groups).astype(float)
        size = (weights @ counts)[:, alike]
        mean = np.full_like(size, np.nan)
        means.append(np.divide(weights @ totals, size, out=mean, where=size > 0))
    sampled = np.sort(np.concatenate(means), axis=0)  # samples x measures, nan last
    return {
        measure: _between(sampled[: SAMPLES - int(np.isnan(sampled[:, at]).sum()), at], scale)
        for at, measure in enumerate(measures)
    }


def _distinct_columns(table: Array) -> tuple[Array, list[int]]:
    """The columns that differ, and for each column which of them it is."""
    distinct: list[int] = []
    alike = []
    for column in range(table.shape[1]):
        same = (n for n, old in enumerate(distinct) if (table[:, old] == table[:, column]).all())
        alike.append(next(same, len(distinct)))
        if alike[-1] == len(distinct):
            distinct.append(column)
    return table[:, distinct], alike


def _between(ordered: Array, scale: float) -> tuple[float, float] | None:
    """The middle 95% of ordered values, interpolated."""
    if not len(ordered):
        return None
    low, high = (_at(ordered, share * (len(ordered) - 1)) for share in (0.025, 0.975))
    return scale * low, scale * high


def _at(ordered: Array, position: float) -> float:
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (position - below) * (ordered[above] - ordered[below]))


# Is one system better than another on the same questions? Approximate randomisation.
#
# If the two systems were equally good, their scores on a text could be swapped without changing
# anything but chance (Noreen 1989). So the scores of randomly chosen groups (a group is a passage
# or a dialog with all its questions) are swapped many times; the p-value is the share of these
# shuffles whose difference is at least as large as the observed one.


ROUNDS = 10_000
TEST_SEED = 19890101
TEST_BATCH = 250
ROUNDING = 1e-9
"""By how much two equal differences may be apart after adding up in another order."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The gain of a system over the baseline, and the probability that chance alone does that.

    ``p_value`` is two-sided; it cannot be lower than 1 / (rounds + 1).
    """

    difference: float
    p_value: float


def paired_test(
    groups: Sequence[int],
    rows: Sequence[Row],
    baseline: Sequence[Row],
    measures: Sequence[str],
    *,
    scale: float = 1.0,
    rounds: int = ROUNDS,
    seed: int = TEST_SEED,
) -> dict[str, PairedTest | None]:
    """Test the mean of each measure; None where no question counts for it.

    ``rows`` and ``baseline`` are the scores of two systems on the same questions; ``groups`` says
    which questions belong together, in ascending order.

    >>> better, worse = [(1.0,)] * 6, [(0.0,)] * 6
    >>> test = paired_test(range(6), better, worse, ["f1"])["f1"]
    >>> test.difference, round(test.p_value, 2)
    (1.0, 0.03)
    """
    import numpy as np

    if not rows:
        return dict.fromkeys(measures)
    first = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    sums, counts = _per_group(rows, first)
    other_sums, other_counts = _per_group(baseline, first)
    totals = sums.sum(0), other_sums.sum(0), counts.sum(0), other_counts.sum(0)
    observed = _difference(*totals)
    limit = np.abs(observed) - ROUNDING
    at_least = np.zeros(len(measures))
    random = np.random.Generator(np.random.SFC64(seed))
    for start in range(0, rounds, TEST_BATCH):
        size = min(TEST_BATCH, rounds - start)
        swapped = random.integers(2, size=(size, len(first)), dtype=np.int8).astype(float)
        more, more_counted = swapped @ (other_sums - sums), swapped @ (other_counts - counts)
        shuffled = _difference(
            totals[0] + more, totals[1] - more, totals[2] + more_counted, totals[3] - more_counted
        )
        at_least += (np.abs(shuffled) >= limit).sum(0)
    p_values = (at_least + 1) / (rounds + 1)
    return {
        measure: None if np.isnan(value) else PairedTest(scale * float(value), float(p))
        for measure, value, p in zip(measures, observed, p_values, strict=True)
    }


def _per_group(rows: Sequence[Row], first: NDArray[np.intp]) -> tuple[Array, Array]:
    """The share of each group in the sum of a measure, and in the number of questions that
    count."""
    import numpy as np

    table = np.array(rows, dtype=float)  # questions x measures, nan where one does not count
    counted = ~np.isnan(table)
    return (
        np.add.reduceat(np.where(counted, table, 0.0), first),
        np.add.reduceat(counted.astype(float), first),
    )


def _difference(sums: Array, other_sums: Array, counts: Array, other_counts: Array) -> Array:
    import numpy as np

    counted = (counts > 0) & (other_counts > 0)
    nothing = np.full_like(sums, np.nan)
    mean = np.divide(sums, counts, out=nothing, where=counted)
    return mean - np.divide(other_sums, other_counts, out=nothing.copy(), where=counted)


SURE: Final = 0.95
DEVIATIONS: Final = NormalDist().inv_cdf((1 + SURE) / 2)
"""So many standard deviations to both sides of the mean hold that share of a normal distribution:
1.96."""


class Spread(NamedTuple):
    """Shares of several runs: their mean, how far they lie apart, how many there are."""

    mean: float
    deviation: float
    runs: int

    def __str__(self) -> str:
        return f"{100 * self.mean:.2f} ± {100 * self.deviation:.1f}"


def spread(shares: Iterable[float]) -> Spread:
    """Mean and standard deviation, the latter over exactly these runs: divided by their number,
    not by one less (Bessel's correction), as papers mostly give it.

    >>> str(spread([0.6261, 0.6621]))
    '64.41 ± 1.8'
    """
    values = list(shares)
    if not values:
        raise ValueError("there is no run to take a mean of")
    return Spread(fmean(values), pstdev(values), len(values))


class Interval(NamedTuple):
    """The bounds of a share."""

    low: float
    high: float

    def overlaps(self, other: Interval) -> bool:
        """Tell if the two have anything in common."""
        return self.low <= other.high and other.low <= self.high


def wilson(right: float, total: int) -> Interval:
    """The 95 % score interval of a share (Wilson 1927); ``right`` may be a mean over runs.

    >>> low, high = wilson(50, 100)
    >>> f"{low:.4f} to {high:.4f}"
    '0.4038 to 0.5962'
    """
    if not 0 <= right <= total or not total:
        raise ValueError(f"{right} of {total} is no share")
    share, square = right / total, DEVIATIONS**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    spared = share * (1 - share) / total + square / (4 * total * total)
    reach = DEVIATIONS * sqrt(spared) / (1 + square / total)
    # At 0 and 1 the interval ends at the share itself, which rounding would miss.
    return Interval(min(share, max(0.0, middle - reach)), max(share, min(1.0, middle + reach)))


def differs(a_right: float, a_total: int, b_right: float, b_total: int) -> bool:
    """Tell if two shares differ significantly, as GapQA's authors tell it: their intervals have
    nothing in common.

    >>> differs(170, 250, 140, 250), differs(180, 250, 140, 250)
    (False, True)
    """
    return not wilson(a_right, a_total).overlaps(wilson(b_right, b_total))


# Krippendorff's alpha for labels: how far people agree beyond what chance would give.
#
# 1 is perfect agreement, 0 what labels dealt out at random would have, below 0 is worse than that.
# Anybody may have labelled any of the units; a unit with one label has nobody to agree with, and
# does not count (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011).


def nominal_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Alpha of the labels that each unit got; None where it is not defined.

    That is so if no unit has two labels, or if all labels are the same: then there is nothing that
    could have been told apart.

    >>> nominal_alpha([("yes", "yes"), ("no", "no")])
    1.0
    """
    total: Counter[Hashable] = Counter()
    disagreement = 0.0
    for labels in units:
        if len(labels) < 2:
            continue
        counts = Counter(labels)
        total += counts
        disagreement += _unlike_pairs(counts) / (len(labels) - 1)
    pairable = total.total()
    by_chance = _unlike_pairs(total)
    return 1 - (pairable - 1) * disagreement / by_chance if by_chance else None


def _unlike_pairs(counts: Counter[Hashable]) -> int:
    """The number of ordered pairs of these labels that differ."""
    return counts.total() ** 2 - sum(count * count for count in counts.values())
