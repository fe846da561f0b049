"""Confidence against scores: the risk of answering only the most confident, and calibration.

Scores lie between 0 (wrong) and 1 (right); risk is one minus the mean score of what is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lacuna.types import AnswerKind, Prediction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from lacuna.metrics.metric import Metric
    from lacuna.metrics.report import Report

    Array = NDArray[np.float64]

COVERAGES = (100, 90, 80, 70, 50, 30, 10)
"""Percentages of the questions at which the risk is given."""
BINS = 15
ROUNDING = 1e-9
"""By how much a sum of scores may be off without counting as above a limit."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Answer at this confidence and above, and this is what happens."""

    confidence: float
    answered: int
    coverage: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class RiskCoverage:
    """The risk at every coverage.

    Equal confidences cannot be told apart, so that the curve has one point for each distinct
    confidence, from the highest down. Between two points it says what is to be expected if those
    of equal confidence are taken in any order.
    """

    confidence: Array
    answered: NDArray[np.int64]
    lost: Array
    """By how much the scores of the answered fall short of 1, summed."""

    @classmethod
    def of(cls, confidence: ArrayLike, score: ArrayLike) -> RiskCoverage:
        """The curve of at least one question.

        >>> curve = RiskCoverage.of([0.9, 0.8, 0.3], [1.0, 0.5, 0.0])
        >>> curve.risk(1.0), curve.risk(1 / 3)
        (0.5, 0.0)
        """
        confidences, scores = np.asarray(confidence, dtype=float), np.asarray(score, dtype=float)
        distinct, place = np.unique(-confidences, return_inverse=True)  # ascending, so negated
        answered = np.cumsum(np.bincount(place))
        lost: Array = np.cumsum(np.bincount(place, weights=1.0 - scores), dtype=float)
        return cls(-distinct, answered, lost)

    def risk(self, coverage: float) -> float:
        """The risk where that share of the questions is answered, the most confident first."""
        count = coverage * self.answered[-1]
        return float(self._lost(np.array([count]))[0] / count)

    def area(self) -> float:
        """AURC: the mean risk over answering one question, two, and so on up to all."""
        counts = np.arange(1.0, self.answered[-1] + 1)
        return float(np.mean(self._lost(counts) / counts))

    def threshold(self, max_error: float) -> Threshold | None:
        """The lowest confidence from which on the risk is no more than that; None if there is none.

        >>> RiskCoverage.of([0.9, 0.8, 0.3], [1, 0, 0]).threshold(0.5).confidence
        0.8
        """
        risks = self.lost / self.answered
        (good,) = np.nonzero(risks <= max_error + ROUNDING)
        if not len(good):
            return None
        at = good[-1]
        answered = int(self.answered[at])
        coverage = answered / int(self.answered[-1])
        return Threshold(float(self.confidence[at]), answered, coverage, float(risks[at]))

    def _lost(self, counts: Array) -> Array:
        known = np.concatenate(([0], self.answered)), np.concatenate(([0.0], self.lost))
        return np.interp(counts, *known)


def calibration_error(confidence: ArrayLike, score: ArrayLike, bins: int = BINS) -> float:
    """ECE: how far confidence is from the mean score, on average over bins of equal width.

    >>> calibration_error([0.75, 0.75, 0.75, 0.75], [1, 1, 1, 0])
    0.0
    """
    confidences, scores = np.asarray(confidence, dtype=float), np.asarray(score, dtype=float)
    bin_of = np.clip((confidences * bins).astype(int), 0, bins - 1)
    return float(np.abs(np.bincount(bin_of, weights=scores - confidences)).sum() / len(confidences))


def discrimination(right: ArrayLike, wrong: ArrayLike) -> float | None:
    """AUC: how often a right answer is surer than a wrong one, where a tie is half a win.

    >>> discrimination([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    rights, wrongs = np.asarray(right, dtype=float), np.sort(np.asarray(wrong, dtype=float))
    if not len(rights) or not len(wrongs):
        return None
    below = np.searchsorted(wrongs, rights, "left") + np.searchsorted(wrongs, rights, "right")
    return float(below.sum() / (2 * len(rights) * len(wrongs)))


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far confidence can be trusted; ``measure`` is what the answers are judged by.

    ``auc`` tells right from wrong answers, those with "none" left aside; it is None where answers
    may be half right, or where all are alike.
    """

    measure: str
    curve: RiskCoverage
    calibration_error: float
    auc: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The numbers, as shares."""
        return {
            "measure": self.measure,
            "risk_at_coverage": {str(share): self.curve.risk(share / 100) for share in COVERAGES},
            "aurc": self.curve.area(),
            "expected_calibration_error": self.calibration_error,
            "auc": self.auc,
        }


def judge_confidence(
    metric: Metric, report: Report, predictions: Mapping[str, Prediction]
) -> Confidence | None:
    """Confidence against score, over the questions that count; None where none does.

    A question without a prediction, or one that claims no confidence, is trusted least.
    """
    column = report.measures.index(metric.answer_measure)
    confidences, scores = [], []
    for score in report.scores:
        value = score.row[column]
        if value is not None:
            confidences.append(predictions.get(score.id, Prediction()).confidence or 0.0)
            scores.append(value)
    if not confidences:
        return None
    return Confidence(
        metric.answer_measure,
        RiskCoverage.of(confidences, scores),
        calibration_error(confidences, scores),
        _auc(column, report, predictions) if metric.right_or_wrong else None,
    )


def _auc(column: int, report: Report, predictions: Mapping[str, Prediction]) -> float | None:
    given: tuple[list[float], list[float]] = ([], [])  # of the wrong answers, and of the right ones
    for score in report.scores:
        prediction = predictions.get(score.id, Prediction())
        answered = prediction.answer and prediction.answer.kind is not AnswerKind.NONE
        if answered and prediction.confidence is not None:
            given[bool(score.row[column])].append(prediction.confidence)
    wrong, right = given
    return discrimination(right, wrong)
