"""Fit the answer scorer: the weights that make the right answers of all questions likeliest.

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
SHRINK = 3.0
"""How strongly weights are held near 0; the features have their standard deviation for a unit."""


class JudgedAnswer(NamedTuple):
    """An answer that was considered, its words, and whether it is right."""

    features: dict[str, float]
    words: str
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
    pairs = list(zip(questions, groups, strict=True))
    for group in dict.fromkeys(groups):
        scorer = fit_weights([answers for answers, own in pairs if own != group])
        judged = (answers for answers, own in pairs if own == group and answers)
        likeliest += [_likeliest(scorer, answers) for answers in judged]
    sure = np.array([probability for probability, _ in likeliest])
    right = np.array([float(won) for _, won in likeliest])
    possible = sum(any(one.right for one in answers) for answers in questions)
    return FittedScorer(
        fit_weights(questions),
        len(questions),
        float(right.sum()) / len(questions),
        possible / len(questions),
        calibration_error(sure, right),
    )


def _likeliest(scorer: AnswerScorer, answers: Sequence[JudgedAnswer]) -> tuple[float, bool]:
    """The chance of the likeliest answer, and whether it is right; equal words count together."""
    chances = scorer.probabilities([one.features for one in answers])
    together: dict[str, float] = {}
    for one, chance in zip(answers, chances, strict=True):
        together[one.words] = together.get(one.words, 0.0) + chance
    words = max(together, key=lambda each: together[each])
    return together[words], any(one.right for one in answers if one.words == words)


def fit_weights(questions: Sequence[Sequence[JudgedAnswer]]) -> AnswerScorer:
    """The likeliest weights, held near 0: of each question the right answers together, or none
    where no answer is right."""
    from scipy.optimize import minimize

    answered = [answers for answers in questions if answers]
    rows = [one for answers in answered for one in answers]
    names = sorted({name for one in rows for name in one.features})
    values = np.array([[one.features.get(name, 0.0) for name in names] for one in rows])
    right = np.array([one.right for one in rows])
    begins = np.cumsum([0, *(len(answers) for answers in answered)][:-1])
    mean, deviation = values.mean(0), values.std(0)
    deviation[deviation == 0] = 1.0
    scaled = np.column_stack([(values - mean) / deviation, np.ones(len(rows))])
    start = np.zeros(scaled.shape[1])
    found = minimize(_loss, start, (scaled, right, begins), method="L-BFGS-B", jac=True)
    plain = found.x[:-1] / deviation
    kept = {name: float(weight) for name, weight in zip(names, plain, strict=True)}
    return AnswerScorer(kept, float(found.x[-1] - plain @ mean))


def _loss(
    weights: Array, rows: Array, right: NDArray[np.bool_], begins: NDArray[np.int64]
) -> tuple[float, Array]:
    """How unlikely the right answers are with these weights, and how that changes with them."""
    scores = np.clip(rows @ weights, -30, 30)
    sizes = np.diff(begins, append=len(rows))
    odds = np.exp(scores)
    every = 1 + np.add.reduceat(odds, begins)  # none has the odds of 1
    good = np.add.reduceat(np.where(right, odds, 0.0), begins)
    answerable = good > 0
    won = np.where(answerable, good, 1.0)
    slope = odds / np.repeat(every, sizes) - np.where(right, odds / np.repeat(won, sizes), 0.0)
    held = np.append(weights[:-1], 0.0)  # the bias may be anything
    loss = float(np.log(every / won).sum() + SHRINK / 2 * held @ held)
    return loss, rows.T @ slope + SHRINK * held
