"""Fit the answer scorer: the weights that make the right answers of all questions likeliest.

Its worth is estimated by cross-fitting: the questions of each group (a collection of documents) are
judged by what was fitted on all other groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.metrics.calibration import calibration_error, discrimination
from lacuna.models.answer_scorer import AnswerScorer
from lacuna.pipeline.rating.same_answers import grouped
from lacuna.types import Answer

Array = NDArray[np.float64]
SHRINK = 3.0
"""How strongly weights are held near 0; the features have their standard deviation for a unit."""


class JudgedAnswer(NamedTuple):
    """An answer that was considered, and whether it is right."""

    features: dict[str, float]
    answer: Answer
    right: bool


@dataclass(frozen=True, slots=True)
class FittedScorer:
    """A scorer, and what it is worth on questions that it was not fitted on.

    ``right`` is the share of the answerable questions whose likeliest answer is right, and
    ``best_possible`` that with a right one among those considered. ``given_right`` and
    ``given_wrong`` are the shares of them that get a right or a wrong answer, ``refused`` is that
    of the others which get none. ``error`` is the calibration error of the likeliest answers,
    ``discrimination`` how often a right one of those given is surer than a wrong one.
    """

    scorer: AnswerScorer
    questions: int
    best_possible: float
    right: float
    given_right: float
    given_wrong: float
    refused: float | None
    error: float
    discrimination: float | None


class JudgedQuestion(NamedTuple):
    """What was considered for a question, its group, and whether it has an answer at all."""

    answers: Sequence[JudgedAnswer]
    group: str
    answerable: bool


def fit_scorer(questions: Sequence[JudgedQuestion], given_from: float) -> FittedScorer:
    """Fit on all questions; an answer counts as given if it is as likely as ``given_from``."""
    sure = np.zeros(len(questions))
    right = np.zeros(len(questions), bool)
    for group in dict.fromkeys(question.group for question in questions):
        scorer = fit_weights([each.answers for each in questions if each.group != group])
        for number, question in enumerate(questions):
            if question.group == group and question.answers:
                sure[number], right[number] = _likeliest(scorer, question.answers)
    answerable = np.array([question.answerable for question in questions])
    given = sure >= given_from
    possible = [any(one.right for one in question.answers) for question in questions]
    return FittedScorer(
        fit_weights([question.answers for question in questions]),
        len(questions),
        _share(np.array(possible), answerable) or 0.0,
        _share(right, answerable) or 0.0,
        _share(given & right, answerable) or 0.0,
        _share(given & ~right, answerable) or 0.0,
        _share(~given, ~answerable),
        calibration_error(sure, right),
        discrimination(sure[given & right], sure[given & ~right]),
    )


def _share(which: NDArray[np.bool_], of: NDArray[np.bool_]) -> float | None:
    return float(which[of].mean()) if of.any() else None


def _likeliest(scorer: AnswerScorer, answers: Sequence[JudgedAnswer]) -> tuple[float, bool]:
    """The chance of the likeliest answer, and whether it is right; the same ones count together."""
    chances = scorer.probabilities([one.features for one in answers])
    groups = grouped([one.answer for one in answers], chances)
    together = [math.fsum(chances[number] for number in group) for group in groups]
    best = max(range(len(groups)), key=lambda group: together[group])
    return together[best], answers[groups[best][0]].right


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
