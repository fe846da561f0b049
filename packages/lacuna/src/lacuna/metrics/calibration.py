"""Confidence against scores: risk and coverage, reliability, abstention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lacuna.types import AnswerKind, Prediction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from lacuna.metrics.metric import Metric
    from lacuna.metrics.report import Report

    Array = NDArray[np.float64]


@dataclass(slots=True)
class Abstention:
    """Counts over the questions of a file; IIRC's table 6 is made of them.

    ``abstained`` is how many predictions were "none", ``unanswerable`` how many questions have no
    answer, ``right`` how many are both.

    >>> counts = Abstention()
    >>> for unanswerable, abstained in ((True, True), (True, False), (False, False)):
    ...     counts.add(unanswerable, abstained)
    >>> counts.precision, counts.recall, counts.f1
    (1.0, 0.5, 0.6666666666666666)
    """

    questions: int = 0
    unanswerable: int = 0
    abstained: int = 0
    right: int = 0

    def add(self, unanswerable: bool, abstained: bool) -> None:
        """Count one question."""
        self.questions += 1
        self.unanswerable += unanswerable
        self.abstained += abstained
        self.right += unanswerable and abstained

    @property
    def precision(self) -> float | None:
        """The share of abstentions that are right; None where there are none."""
        return self.right / self.abstained if self.abstained else None

    @property
    def recall(self) -> float | None:
        """The share of unanswerable questions that were recognised."""
        return self.right / self.unanswerable if self.unanswerable else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; 0 where nothing is right."""
        if not self.unanswerable:
            return None
        return 2 * self.right / (self.abstained + self.unanswerable)

    @property
    def always(self) -> Abstention:
        """The scores of a system that always abstains."""
        count = self.unanswerable
        return Abstention(self.questions, count, self.questions, count)

    def as_json(self) -> dict[str, float | None]:
        """The three numbers, as shares."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


# Confidence against scores: the risk of answering only the most confident, and calibration.
#
# Scores lie between 0 (wrong) and 1 (right); risk is one minus the mean score of what is answered.


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
    """Measures of how far confidence can be trusted; ``measure`` is what the answers are judged by.

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


RELIABILITY_BINS = 10
SIDE, LEFT, TOP, BELOW, RIGHT = 300, 48, 34, 46, 14
"""Sizes of the picture: the square that is drawn in, and what is around it."""
LARGEST = 11.0
"""Radius of the point of the bin with the most answers."""
STYLE = """
text{font:12px system-ui,sans-serif;fill:#334}
.paper{fill:#fff}.grid{stroke:#dde1e6}.even{stroke:#8894a0;stroke-dasharray:4 4}
.line{fill:none;stroke:#1f5fa8;stroke-width:1.5}.point{fill:#1f5fa8;fill-opacity:.75}
@media (prefers-color-scheme:dark){text{fill:#cfd6de}
.paper{fill:#15191e}.grid{stroke:#2c343d}.even{stroke:#77838f}
.line{stroke:#7db4f0}.point{fill:#7db4f0}}
""".strip()


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about the same confidence: its mean, the mean of their scores, their number."""

    confidence: float
    right: float
    answers: int


def reliability(
    confidence: ArrayLike, score: ArrayLike, bins: int = RELIABILITY_BINS
) -> tuple[ReliabilityBin, ...]:
    """Bins of equal width, the least confident first; those without answers are left out.

    >>> reliability([0.75, 0.75, 0.12], [1, 0, 0])
    (ReliabilityBin(confidence=0.12, right=0.0, answers=1), \
ReliabilityBin(confidence=0.75, right=0.5, answers=2))
    """
    confidences, scores = np.asarray(confidence, dtype=float), np.asarray(score, dtype=float)
    bin_of = np.clip((confidences * bins).astype(int), 0, bins - 1)
    return tuple(
        ReliabilityBin(
            float(confidences[bin_of == number].mean()),
            float(scores[bin_of == number].mean()),
            int((bin_of == number).sum()),
        )
        for number in np.unique(bin_of)
    )


def reliability_svg(table: Sequence[ReliabilityBin], title: str = "Reliability") -> str:
    """A picture that needs nothing else, light or dark as its reader likes.

    A point is a bin, the larger the more answers it has. On the dashed line, confidence is what it
    says; below it, it says too much.
    """
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BELOW
    answers = sum(one.answers for one in table)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text x="{LEFT}" y="20">{escape(title, quote=False)} ({answers:,} answers)</text>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        lines += [
            _line("grid", (share, 0), (share, 1)),
            _line("grid", (0, share), (1, share)),
            f'<text x="{_x(share):.1f}" y="{_y(0) + 17:.1f}" text-anchor="middle">{share:g}</text>',
            f'<text x="{LEFT - 8}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:g}</text>',
        ]
    middle = TOP + SIDE / 2
    lines += [
        f'<text x="{_x(0.5)}" y="{_y(0) + 36:.1f}" text-anchor="middle">confidence</text>',
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">'
        "share right</text>",
        _line("even", (0, 0), (1, 1)),
    ]
    places = [(one.confidence, one.right) for one in table]
    lines += [_line("line", one, other) for one, other in pairwise(places)]
    most = max((one.answers for one in table), default=1)
    for one in table:
        radius = max(2.0, LARGEST * (one.answers / most) ** 0.5)
        told = f"confidence {one.confidence:.2f}: {one.right:.0%} of {one.answers} right"
        lines.append(
            f'<circle class="point" cx="{_x(one.confidence):.1f}" cy="{_y(one.right):.1f}"'
            f' r="{radius:.1f}"><title>{told}</title></circle>'
        )
    return "\n".join((*lines, "</svg>", ""))


def _line(style: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="{style}" x1="{_x(start[0]):.1f}" y1="{_y(start[1]):.1f}"'
        f' x2="{_x(end[0]):.1f}" y2="{_y(end[1]):.1f}"/>'
    )


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)
