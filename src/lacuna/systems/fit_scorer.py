"""Fit the answer scorer: logistic regression over the answers that were read for each question.

Its worth is estimated by cross-fitting: the questions of each group (a collection of documents) are
judged by what was fitted on all other groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.metrics.calibration import calibration_error
from lacuna.models.answer_scorer import AnswerScorer

Array = NDArray[np.float64]
SHRINK = 1.0
"""How strongly weights are held near 0; the features have their standard deviation for a unit."""
STEPS = 50
CLOSE = 1e-8


class JudgedAnswer(NamedTuple):
    """An answer that was considered, and whether it is right."""

    features: dict[str, float]
    right: bool


@dataclass(frozen=True, slots=True)
class FittedScorer:
    """A scorer, and what it is worth on questions that it was not fitted on.

    ``right`` is the share of all questions whose likeliest answer is right, ``best_possible`` that
    with a right one among those considered; ``error`` the calibration error of the likeliest.
    """

    scorer: AnswerScorer
    questions: int
    right: float
    best_possible: float
    error: float


def fit_scorer(questions: Sequence[Sequence[JudgedAnswer]], groups: Sequence[str]) -> FittedScorer:
    """Fit on all questions; ``groups`` has that of each."""
    likeliest: list[tuple[float, bool]] = []
    for group in dict.fromkeys(groups):
        pairs = list(zip(questions, groups, strict=True))
        scorer = fit_logistic([answers for answers, own in pairs if own != group])
        for answers in (answers for answers, own in pairs if own == group and answers):
            rated = [(scorer.probability(one.features), one.right) for one in answers]
            likeliest.append(max(rated, key=lambda pair: pair[0]))
    sure = np.array([probability for probability, _ in likeliest])
    right = np.array([float(won) for _, won in likeliest])
    possible = sum(any(one.right for one in answers) for answers in questions)
    return FittedScorer(
        fit_logistic(questions),
        len(questions),
        float(right.sum()) / len(questions),
        possible / len(questions),
        calibration_error(sure, right),
    )


def fit_logistic(questions: Sequence[Sequence[JudgedAnswer]]) -> AnswerScorer:
    """The likeliest weights, held near 0; each question counts the same, however much was read."""
    answered = [answers for answers in questions if answers]
    names = sorted({name for answers in answered for one in answers for name in one.features})
    rows = [one for answers in answered for one in answers]
    values = np.array([[one.features.get(name, 0.0) for name in names] for one in rows])
    right = np.array([float(one.right) for one in rows])
    share = np.concatenate([np.full(len(answers), 1 / len(answers)) for answers in answered])
    share *= len(rows) / share.sum()
    mean, deviation = values.mean(0), values.std(0)
    deviation[deviation == 0] = 1.0
    scaled = np.column_stack([(values - mean) / deviation, np.ones(len(rows))])
    weights = _newton(scaled, right, share)
    plain = weights[:-1] / deviation
    kept = {name: float(weight) for name, weight in zip(names, plain, strict=True)}
    return AnswerScorer(kept, float(weights[-1] - plain @ mean))


def _newton(rows: Array, right: Array, share: Array) -> Array:
    """Newton's method; the last column is the bias, which is not held near 0."""
    hold = np.full(rows.shape[1], SHRINK)
    hold[-1] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (share * (right - chance)) - hold * weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + np.diag(hold)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < CLOSE:
            break
    return weights
