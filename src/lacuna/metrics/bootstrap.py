"""95% intervals by resampling contexts, so that questions about one text stay together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
