"""How sure an accuracy is: its spread over runs with other seeds, and Wilson's interval."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist, fmean, pstdev
from typing import Final, NamedTuple

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
    """Where a share lies."""

    low: float
    high: float

    def overlaps(self, other: Interval) -> bool:
        """Whether the two have anything in common."""
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
    """Whether two shares differ significantly, as GapQA's authors tell it: their intervals have
    nothing in common.

    >>> differs(170, 250, 140, 250), differs(180, 250, 140, 250)
    (False, True)
    """
    return not wilson(a_right, a_total).overlaps(wilson(b_right, b_total))
