"""From a model's score to a confidence that can be taken at its word: isotonic regression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lacuna.errors import LacunaError
from lacuna.metrics.calibration import calibration_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

SEED = 20201116


@dataclass(frozen=True, slots=True)
class Calibration:
    """A line through knots, flat before the first and after the last.

    >>> Calibration((-1.0, 1.0), (0.2, 0.8)).apply(0.0)
    0.5
    """

    scores: tuple[float, ...]
    confidences: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(low < high for low, high in pairwise(self.scores))
        in_order = all(low <= high for low, high in pairwise(self.confidences))
        sound = all(0.0 <= value <= 1.0 for value in self.confidences)
        if not self.scores or len(self.scores) != len(self.confidences):
            raise ValueError("a calibration needs as many confidences as scores, at least one")
        if not (rising and in_order and sound):
            raise ValueError("a calibration's scores rise, and its confidences too, from 0 to 1")

    def apply(self, score: float) -> float:
        """The confidence that the score stands for."""
        return float(self.apply_all(score))

    def apply_all(self, scores: ArrayLike) -> Array:
        """The confidences of many scores."""
        given: Array = np.asarray(scores, dtype=float)
        return np.asarray(np.interp(given, self.scores, self.confidences), dtype=float)

    def as_json(self) -> dict[str, list[float]]:
        """As it stands in a model's configuration."""
        return {"scores": list(self.scores), "confidences": list(self.confidences)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Calibration:
        """The calibration that stands in a model's configuration."""
        try:
            scores, confidences = value["scores"], value["confidences"]
            return cls(tuple(map(float, scores)), tuple(map(float, confidences)))
        except (KeyError, TypeError, ValueError) as error:
            raise LacunaError(
                f"The model's calibration is damaged ({error}). Get the model again."
            ) from error


def fit_isotonic(scores: ArrayLike, right: ArrayLike) -> Calibration:
    """The best line that never falls: neighbours that stand in the wrong order share their mean."""
    given, wanted = _pairs(scores, right)
    distinct, place = np.unique(given, return_inverse=True)
    counts, sums = np.bincount(place), np.bincount(place, weights=wanted)
    blocks: list[tuple[int, float, float]] = []  # first score, count, sum
    for first, (count, total) in enumerate(zip(counts.tolist(), sums.tolist(), strict=True)):
        begin, size, summed = first, float(count), total
        while blocks and blocks[-1][2] * size >= summed * blocks[-1][1]:
            begin, more, extra = blocks.pop()
            size, summed = size + more, summed + extra
        blocks.append((begin, size, summed))
    ends = [block[0] - 1 for block in blocks[1:]] + [len(distinct) - 1]
    knots: dict[float, float] = {}
    for (begin, size, summed), end in zip(blocks, ends, strict=True):
        knots[distinct[begin]] = knots[distinct[end]] = summed / size
    return _calibration(np.array(list(knots)), np.array(list(knots.values())))


def cross_fitted_error(
    fit: Callable[[Array, Array], Calibration], scores: ArrayLike, right: ArrayLike
) -> float:
    """The calibration error to expect on new data: each half is measured by the other's fit."""
    given, wanted = _pairs(scores, right)
    if len(given) < 2:
        raise ValueError("two halves need at least two scores")
    order = np.random.default_rng(SEED).permutation(len(given))
    halves = np.array_split(order, 2)
    errors = [
        calibration_error(fit(given[half], wanted[half]).apply_all(given[other]), wanted[other])
        for half, other in (halves, halves[::-1])
    ]
    return float(np.mean(errors))


def _pairs(scores: ArrayLike, right: ArrayLike) -> tuple[Array, Array]:
    given, wanted = np.asarray(scores, dtype=float), np.asarray(right, dtype=float)
    if given.ndim != 1 or given.shape != wanted.shape or not len(given):
        raise ValueError("a calibration is fitted on as many outcomes as scores, at least one")
    if not np.isfinite(given).all() or not ((wanted >= 0) & (wanted <= 1)).all():
        raise ValueError("scores must be finite, and outcomes between 0 and 1")
    return given, wanted


def _calibration(scores: Array, confidences: Array) -> Calibration:
    # Rounding may leave neighbours a last digit out of order.
    ordered = np.clip(np.maximum.accumulate(confidences), 0.0, 1.0)
    return Calibration(tuple(scores.tolist()), tuple(ordered.tolist()))
