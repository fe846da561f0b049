"""Krippendorff's alpha for labels: how far people agree beyond what chance would give.

1 is perfect agreement, 0 what labels dealt out at random would have, below 0 is worse than that.
Anybody may have labelled any of the units; a unit with one label has nobody to agree with, and does
not count (K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence


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
    """How many ordered pairs of these labels differ."""
    return counts.total() ** 2 - sum(count * count for count in counts.values())
