"""Fit what a model could not learn in training: when to say "none", and how sure is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.metrics.calibration import calibration_error
from lacuna.models.calibration import Calibration, cross_fitted_error, fit_isotonic
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.models.reader.thresholds import NoAnswerThresholds, Tuning

Array = NDArray[np.float64]
SEED = 20260101
AS_GOOD = 0.001
"""A difference of the mean score that means nothing."""
FEWEST = 10
"""Answers of one group below which nothing is fitted for them alone."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """Of every question: its margin, its answer's group, and what that and "none" would score."""

    margins: Array
    groups: NDArray[np.int64]
    answered: Array
    none: Array

    def given(self, thresholds: NoAnswerThresholds) -> NDArray[np.bool_]:
        """Which answers are given with those thresholds."""
        return self.margins > np.array(thresholds)[self.groups]

    def scores(self, thresholds: NoAnswerThresholds) -> Array:
        """What each question scores with those thresholds."""
        return np.where(self.given(thresholds), self.answered, self.none)

    def score(self, thresholds: NoAnswerThresholds) -> float:
        """The mean score with those thresholds."""
        return float(self.scores(thresholds).mean())

    def part(self, index: NDArray[np.int64]) -> Weighing:
        return Weighing(
            self.margins[index], self.groups[index], self.answered[index], self.none[index]
        )


def best_thresholds(weighing: Weighing) -> NoAnswerThresholds:
    """The thresholds with the highest mean score, one for each large enough answer group."""
    parts = [np.flatnonzero(weighing.groups == group) for group in range(len(NoAnswerThresholds()))]
    enough = [weighing.part(part) if len(part) >= FEWEST else weighing for part in parts]
    return NoAnswerThresholds(*map(best_limit, enough))


def best_limit(weighing: Weighing) -> float:
    """The one threshold for all with the highest mean score; of those as good, the greatest.

    Whoever asks is worse off with a wrong answer than with none.
    """
    order = np.argsort(weighing.margins, kind="stable")
    margins = np.clip(weighing.margins[order], -50.0, 50.0)
    gain = (weighing.none - weighing.answered)[order]
    # With the threshold just above the i-th margin, the first i + 1 questions get "none".
    gains = np.concatenate([[0.0], np.cumsum(gain)])
    between = np.concatenate(
        [[margins[0] - 1], (margins[:-1] + margins[1:]) / 2, [margins[-1] + 1]]
    )
    apart = np.concatenate([[True], margins[:-1] < margins[1:], [True]])  # equal ones go together
    as_good = gains >= gains[apart].max() - AS_GOOD * len(gain)
    return float(between[apart & as_good].max())


def cross_fitted_score(weighing: Weighing) -> float:
    """The mean score to expect of new questions: each half is judged by the other's thresholds."""
    order = np.random.default_rng(SEED).permutation(len(weighing.margins))
    first, second = np.array_split(order, 2)
    found = [
        weighing.part(other).score(best_thresholds(weighing.part(one))) * len(other)
        for one, other in ((first, second), (second, first))
    ]
    return sum(found) / len(order)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuning, and what it is worth on questions that it was not fitted on."""

    tuning: Tuning
    before: float
    after: float
    error_before: float
    error_after: float
    questions: int


def tune(weighed: Sequence[ScoredAnswer], weighing: Weighing, *, may_abstain: bool) -> Tuned:
    """Fit thresholds first, then the confidence of what is said with it."""
    thresholds = best_thresholds(weighing) if may_abstain else NoAnswerThresholds()
    plain = Tuning(thresholds)
    sure = np.array([one.decide(plain).confidence or 0.0 for one in weighed])
    right = weighing.scores(thresholds)
    fitted: Calibration = fit_isotonic(sure, right)
    return Tuned(
        Tuning(NoAnswerThresholds(*(round(value, 3) for value in thresholds)), _rounded(fitted)),
        weighing.score(NoAnswerThresholds()),
        cross_fitted_score(weighing) if may_abstain else weighing.score(NoAnswerThresholds()),
        calibration_error(sure, right),
        cross_fitted_error(fit_isotonic, sure, right),
        len(weighed),
    )


def _rounded(fitted: Calibration) -> Calibration:
    """Four digits are more than the data can tell."""
    knots = dict(
        zip(
            (round(score, 4) for score in fitted.scores),
            (round(value, 4) for value in fitted.confidences),
            strict=True,
        )
    )
    return Calibration(tuple(knots), tuple(knots.values()))
