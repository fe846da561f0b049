"""Is one system better than another on the same questions? Approximate randomisation.

If the two systems were equally good, their scores on a text could be swapped without changing
anything but chance (Noreen 1989). So the scores of randomly chosen groups (a group is a passage or
a dialog with all its questions) are swapped many times; the p-value is the share of these shuffles
whose difference is at least as large as the observed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lacuna.metrics.metric import Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ROUNDS = 10_000
SEED = 19890101
BATCH = 250
ROUNDING = 1e-9
"""By how much two equal differences may be apart after adding up in another order."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """How much higher a system scores than the baseline, and how likely chance alone does that.

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
    seed: int = SEED,
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
    for start in range(0, rounds, BATCH):
        size = min(BATCH, rounds - start)
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
    """What each group adds to the sum of a measure, and to the number of questions that count."""
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
