"""Fit what a model could not learn in training: when to abstain, and how confident to be.

Everything is fitted on questions with answers that the model was not trained on, and its worth is
estimated by cross-fitting: each half of the questions is judged by what was fitted on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.metrics.calibration import calibration_error
from lacuna.models.calibration import Calibration, cross_fitted_error, fit_isotonic
from lacuna.models.gapqa.backend import Floats
from lacuna.models.reader.decode import log_softmax
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.models.reader.thresholds import NoAnswerThresholds, Tuning

Array = NDArray[np.float64]
THRESHOLD_SEED = 20260101
TEMPERATURE_SEED = 20190901
AS_GOOD = 0.001
"""A difference of the mean score that means nothing."""
FEWEST = 10
"""Answers in one answer group below which no threshold is fitted for them alone."""
LOWEST, HIGHEST = 0.1, 10.0
"""Beyond these, a file says too little: every choice is right in it, or none."""
STEPS = 60


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """Of every question: the margin of its best answer over "none", the answer's group, and what
    that answer and "none" would score."""

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

    def mean(self, thresholds: NoAnswerThresholds) -> float:
        """The mean score with those thresholds."""
        return float(self.scores(thresholds).mean())

    def part(self, index: NDArray[np.int64]) -> CandidateScores:
        """The same of some of the questions."""
        return CandidateScores(
            self.margins[index], self.groups[index], self.answered[index], self.none[index]
        )


def best_thresholds(candidates: CandidateScores) -> NoAnswerThresholds:
    """The thresholds with the highest mean score, one for each large enough answer group."""
    groups = range(len(NoAnswerThresholds()))
    parts = [np.flatnonzero(candidates.groups == group) for group in groups]
    enough = [candidates.part(part) if len(part) >= FEWEST else candidates for part in parts]
    return NoAnswerThresholds(*map(best_threshold, enough))


def best_threshold(candidates: CandidateScores) -> float:
    """The one threshold for all with the highest mean score; of those as good, the greatest.

    A wrong answer is worse for whoever asks than none.
    """
    order = np.argsort(candidates.margins, kind="stable")
    margins = np.clip(candidates.margins[order], -50.0, 50.0)
    gain = (candidates.none - candidates.answered)[order]
    # With the threshold just above the i-th margin, the first i + 1 questions get "none".
    gains = np.concatenate([[0.0], np.cumsum(gain)])
    lower, upper = margins[:-1], margins[1:]
    middle = (lower + upper) / 2
    middle = np.where(middle < upper, middle, lower)  # neighbours may have no number in between
    between = np.concatenate([[margins[0] - 1], middle, [margins[-1] + 1]])
    apart = np.concatenate([[True], lower < upper, [True]])  # equal ones go together
    as_good = gains >= gains[apart].max() - AS_GOOD * len(gain)
    return float(between[apart & as_good].max())


def cross_fitted_score(candidates: CandidateScores) -> float:
    """The mean score to expect of new questions."""
    order = np.random.default_rng(THRESHOLD_SEED).permutation(len(candidates.margins))
    first, second = np.array_split(order, 2)
    totals = [
        candidates.part(other).mean(best_thresholds(candidates.part(half))) * len(other)
        for half, other in ((first, second), (second, first))
    ]
    return sum(totals) / len(order)


@dataclass(frozen=True, slots=True)
class FittedTuning:
    """A tuning, and what it is worth on questions that it was not fitted on."""

    tuning: Tuning
    score_before: float
    score_after: float
    error_before: float
    error_after: float
    questions: int


def fit_tuning(
    answers: Sequence[ScoredAnswer], candidates: CandidateScores, *, may_abstain: bool
) -> FittedTuning:
    """Fit the no-answer thresholds first, then the confidence of what is answered with them."""
    thresholds = best_thresholds(candidates) if may_abstain else NoAnswerThresholds()
    plain = Tuning(thresholds)
    confidence = np.array([answer.decide(plain).confidence or 0.0 for answer in answers])
    scores = candidates.scores(thresholds)
    calibration = fit_isotonic(confidence, scores)
    before = candidates.mean(NoAnswerThresholds())
    return FittedTuning(
        Tuning(NoAnswerThresholds(*(round(v, 3) for v in thresholds)), _rounded(calibration)),
        before,
        cross_fitted_score(candidates) if may_abstain else before,
        calibration_error(confidence, scores),
        cross_fitted_error(fit_isotonic, confidence, scores),
        len(answers),
    )


def _rounded(calibration: Calibration) -> Calibration:
    """Four digits are more than the data can tell."""
    knots = dict(
        zip(
            (round(score, 4) for score in calibration.scores),
            (round(value, 4) for value in calibration.confidences),
            strict=True,
        )
    )
    return Calibration(tuple(knots), tuple(knots.values()))


@dataclass(frozen=True, slots=True)
class FittedTemperature:
    """A temperature, and what it is worth on questions that it was not fitted on.

    The scores of all choices are divided by it; that changes no choice, only its probability.
    """

    temperature: float
    error_before: float
    error_after: float
    questions: int


def fit_temperature(scores: Sequence[Floats], right: Sequence[int]) -> FittedTemperature:
    """Fit on the scores of each question's choices and the number of the right one."""
    wanted = np.array(right)
    order = np.random.default_rng(TEMPERATURE_SEED).permutation(len(scores))
    halves = np.array_split(order, 2)
    after = []
    for half, other in (halves, halves[::-1]):
        temperature = best_temperature(_part(scores, half), wanted[half])
        after.append(_error(_part(scores, other), wanted[other], temperature))
    return FittedTemperature(
        round(best_temperature(scores, wanted), 3),
        _error(scores, wanted, 1.0),
        float(np.mean(after)),
        len(scores),
    )


def best_temperature(scores: Sequence[Floats], right: Sequence[int] | NDArray[np.int64]) -> float:
    """The temperature at which the right choices are likeliest.

    Their likelihood has one peak in its inverse, so that halving finds it.
    """
    low, high = 1 / HIGHEST, 1 / LOWEST
    for _ in range(STEPS):
        middle = np.float32((low * high) ** 0.5)
        slope = sum(
            float(choices[number] - np.exp(log_softmax(middle * choices)) @ choices)
            for choices, number in zip(scores, right, strict=True)
        )
        low, high = (float(middle), high) if slope > 0 else (low, float(middle))
    return float(1 / low)


def _part(scores: Sequence[Floats], numbers: NDArray[np.int64]) -> list[Floats]:
    return [scores[number] for number in numbers]


def _error(scores: Sequence[Floats], right: NDArray[np.int64], temperature: float) -> float:
    likely = [np.exp(log_softmax(choices / np.float32(temperature))) for choices in scores]
    hits = [int(each.argmax()) == number for each, number in zip(likely, right, strict=True)]
    return calibration_error([float(each.max()) for each in likely], hits)
