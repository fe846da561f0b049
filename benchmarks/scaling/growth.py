"""How a cost grows with the number of passages: a power law, fitted where it was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

SAMPLES = 1_000
SEED = 7
Statistic = Callable[[Any], float]
"""Of the costs at one size, whatever holds them."""


@dataclass(frozen=True)
class Growth:
    """``cost = factor * passages ** exponent``, and what bootstrap samples say of both."""

    factor: float
    exponent: float
    samples: tuple[tuple[float, float], ...]
    """Pairs of factor and exponent."""
    largest: int = 1
    """The most passages that were measured."""

    def at(self, passages: float) -> float:
        """The cost of so many passages."""
        return float(self.factor * passages**self.exponent)

    def at_least(self, exponent: float) -> Growth:
        """The same cost at the largest size that was measured, and beyond it no slower growth.

        A cost that cannot grow slower in the long run may seem to where a start that is always the
        same is a part of it.
        """
        if self.exponent >= exponent:
            return self
        factor = self.at(self.largest) / self.largest**exponent
        return replace(self, factor=factor, exponent=exponent)

    def exponent_interval(self) -> tuple[float, float]:
        """95 % of the samples."""
        return _interval([exponent for _, exponent in self.samples])

    def interval_at(self, passages: float) -> tuple[float, float]:
        """The same for a cost."""
        return _interval([factor * passages**exponent for factor, exponent in self.samples])


def fit(measured: Mapping[int, Sequence[float]], statistic: Statistic = np.mean) -> Growth:
    """A line through the logarithms of sizes and costs; ``measured`` has all costs of each size.

    The interval comes from drawing the measurements of each size again, and how far each size lies
    from the line. It tells how much they scatter, not whether a cost goes on growing in the same
    way where nobody measured.

    >>> fit({10: [20.0], 100: [200.0]}).exponent
    1.0
    """
    draw = np.random.default_rng(SEED)
    factor, exponent = _line({size: statistic(costs) for size, costs in measured.items()})
    away = [
        statistic(costs) / (factor * size**exponent) for size, costs in measured.items()
    ]  # a line has two parameters, so it lies nearer to its points than the truth does
    spread = len(away) / max(1, len(away) - 2)
    samples = tuple(
        _line(
            {
                size: statistic(draw.choice(costs, len(costs))) * draw.choice(away) ** spread**0.5
                for size, costs in measured.items()
            }
        )
        for _ in range(SAMPLES)
    )
    return Growth(factor, exponent, samples, max(measured))


def p95(costs: Sequence[float]) -> float:
    """What 95 % of them do not pass."""
    return float(np.percentile(costs, 95))


def _line(costs: Mapping[int, float]) -> tuple[float, float]:
    slope, start = np.polyfit(np.log(list(costs)), np.log(list(costs.values())), 1)
    return float(np.exp(start)), round(float(slope), 12)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
