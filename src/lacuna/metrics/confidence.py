"""Hold the confidences of a prediction file against the scores of its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.metrics.metric import Metric
from lacuna.metrics.report import Report
from lacuna.metrics.risk_coverage import RiskCoverage, calibration_error
from lacuna.types import Prediction

COVERAGES = (100, 90, 80, 70, 50, 30, 10)
"""Percentages of the questions at which the risk is told."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far confidence can be trusted; ``measure`` is what the answers are judged by."""

    measure: str
    curve: RiskCoverage
    calibration_error: float

    def as_json(self) -> dict[str, Any]:
        """The numbers, as shares."""
        return {
            "measure": self.measure,
            "risk_at_coverage": {str(share): self.curve.risk(share / 100) for share in COVERAGES},
            "aurc": self.curve.area(),
            "expected_calibration_error": self.calibration_error,
        }


def judge_confidence(
    metric: Metric, report: Report, predictions: Mapping[str, Prediction]
) -> Confidence | None:
    """Confidence against score, over the questions that count; None where none does.

    A question without a prediction, or one that claims no confidence, is trusted least.
    """
    column = report.measures.index(metric.answer_measure)
    sure, right = [], []
    for score in report.scores:
        value = score.row[column]
        if value is not None:
            sure.append(predictions.get(score.id, Prediction()).confidence or 0.0)
            right.append(value)
    if not sure:
        return None
    curve = RiskCoverage.of(sure, right)
    return Confidence(metric.answer_measure, curve, calibration_error(sure, right))
