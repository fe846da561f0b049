"""Fit what a model could not learn in training, and keep it in the model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.answers import MAY_ABSTAIN
from lacuna.datasets.base import Dataset, Setting
from lacuna.datasets.openbookqa import right_choice
from lacuna.evaluation.assignment import ArrangedQuestions, Assignment
from lacuna.evaluation.registry import NamedSystem
from lacuna.evaluation.system import GapQASystem, Progress
from lacuna.files.writing import check_writable
from lacuna.metrics.calibration import calibration_error, discrimination
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import score_predictions
from lacuna.models.calibration import (
    OVER_CORPUS,
    SCORER_KEY,
    AnswerScorer,
    Calibration,
    NoAnswerThresholds,
    Tuning,
    answer_group,
    check_enough,
    cross_fitted_error,
    fit_isotonic,
    keep_tuning,
)
from lacuna.models.calibration import THRESHOLDS_KEY as KEY
from lacuna.models.gapqa.gapqa_reader import Floats
from lacuna.models.model_folder import CONFIG, TEMPERATURE, ModelSystem, find_model, write_config
from lacuna.models.reader.decode import log_softmax
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.rating import grouped
from lacuna.types import Answer, AnswerKind, Prediction, Question

if TYPE_CHECKING:
    from lacuna.pipeline.rating import ConsideredAnswer


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
        """Flags of the answers that are given with those thresholds."""
        return self.margins > np.array(thresholds)[self.groups]

    def scores(self, thresholds: NoAnswerThresholds) -> Array:
        """The score of each question with those thresholds."""
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


# Fit the answer scorer: the weights that make the right answers of all questions likeliest.
#
# Its worth is estimated by cross-fitting: the questions of each group (a collection of documents)
# are judged by what was fitted on all other groups.


SHRINK = 3.0
"""The strength that holds weights near 0; the features have their standard deviation for a unit."""


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
    """The answers that were considered for a question, its group, and whether it has an answer at
    all."""

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
    """The negative log-likelihood of the right answers with these weights, and its gradient."""
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


HALF_RIGHT = 0.5
"""An answer counts as right if it scores as much."""
PARTS = 5
ALWAYS = Tuning(NoAnswerThresholds.same(-1e9))
"""With this, the best answer is always given."""


def tune_reader(
    assignment: Assignment, system: NamedSystem, *, progress: Progress | None = None
) -> FittedTuning:
    """Fit a reader's no-answer thresholds and its confidence for the mode of a setting.

    Those of settings over a corpus are kept apart from the others.
    """
    check_enough(assignment.questions.with_gold)
    assert system.model is not None
    folder = find_model(system.model)
    check_writable(folder.path / CONFIG)
    questions = list(assignment.questions)
    answers = _score(assignment, system, progress)
    fitted = fit_answers(assignment.dataset, assignment.setting.mode in MAY_ABSTAIN,
                         questions, answers)  # fmt: skip
    key = OVER_CORPUS if assignment.setting.over_corpus else KEY
    keep_tuning(folder, assignment.setting.mode, fitted.tuning, key)
    return fitted


def tune_scorer(
    assignment: Assignment, system: NamedSystem, *, progress: Progress | None = None
) -> FittedScorer:
    """Fit what chooses among the answers that were read, and how likely each is right."""
    from lacuna.evaluation.asking import AskingSystem
    from lacuna.pipeline.config import PipelineConfig

    check_enough(assignment.questions.with_gold)
    assert system.model is not None
    folder = find_model(system.model)
    check_writable(folder.path / CONFIG)
    setting, questions = assignment.setting, list(assignment.questions)
    arranged = ArrangedQuestions(assignment.questions, setting)
    with system.open(
        assignment.dataset, setting, assignment.questions, assignment.resources
    ) as opened:
        assert isinstance(opened, AskingSystem)
        considered = opened.consider(arranged, progress=progress)
    metric = assignment.dataset.metric()
    groups = _groups(setting, questions)
    judged = [
        JudgedQuestion([_judged(metric, question, one) for one in answers], group, _has(question))
        for question, answers, group in zip(questions, considered, groups, strict=True)
    ]
    fitted = fit_scorer(judged, PipelineConfig().probable_from)
    write_config(folder.path, {**folder.config, SCORER_KEY: fitted.scorer.as_json()})
    return fitted


def _has(question: Question) -> bool:
    """Tell if a question has an answer."""
    answers = question.gold.answers if question.gold else ()
    return any(answer.kind is not AnswerKind.NONE for answer in answers)


def _judged(metric: Metric, question: Question, considered: ConsideredAnswer) -> JudgedAnswer:
    row = metric.judge(question, considered.prediction)
    right = (row[metric.measures.index(metric.answer_measure)] or 0.0) >= HALF_RIGHT
    return JudgedAnswer(considered.features, considered.answer, right)


def _groups(setting: Setting, questions: Sequence[Question]) -> list[str]:
    """The groups that are judged together: a collection, or every fifth question where there is but
    one."""
    if setting.collection is not None:
        collections = [setting.collection(question) for question in questions]
        if len(set(collections)) > 1:
            return collections
    return [str(number % PARTS) for number in range(len(questions))]


def _score(
    assignment: Assignment, system: NamedSystem, progress: Progress | None
) -> list[ScoredAnswer]:
    from lacuna.evaluation.asking import AskingSystem
    from lacuna.evaluation.system import ReaderSystem, running_total
    from lacuna.models.reader.reader import ModelReader

    setting = assignment.setting
    arranged = ArrangedQuestions(assignment.questions, setting)
    with system.open(
        assignment.dataset, setting, assignment.questions, assignment.resources
    ) as opened:
        if isinstance(opened, AskingSystem):
            return opened.score(arranged, progress=progress)
        assert isinstance(opened, ReaderSystem)
        assert isinstance(opened.reader, ModelReader)
        return opened.reader.score(
            list(arranged), mode=setting.mode, progress=running_total(progress)
        )


def fit_answers(
    dataset: Dataset,
    may_abstain: bool,
    questions: Sequence[Question],
    answers: Sequence[ScoredAnswer],
) -> FittedTuning:
    """Fit on the best answer to each question.

    It and "none" are both scored, so that all thresholds can be judged without reading again.
    """
    pairs = list(zip(questions, answers, strict=True))
    metric = dataset.metric()
    answered = _scores(metric, questions, {q.id: answer.decide(ALWAYS) for q, answer in pairs})
    none = _scores(metric, questions, {q.id: Prediction(Answer.none()) for q in questions})
    counted = [(q.id, answer) for q, answer in pairs if q.id in answered]
    check_enough(len(counted))
    candidates = CandidateScores(
        np.array([answer.margin for _, answer in counted]),
        np.array([answer_group(answer.kind) for _, answer in counted]),
        np.array([answered[id_] for id_, _ in counted]),
        np.array([none[id_] for id_, _ in counted]),
    )
    return fit_tuning([answer for _, answer in counted], candidates, may_abstain=may_abstain)


def _scores(
    metric: Metric, questions: Sequence[Question], predictions: Mapping[str, Prediction]
) -> dict[str, float]:
    report = score_predictions(metric, questions, predictions)
    column = report.measures.index(metric.answer_measure)
    rows = ((score.id, score.row[column]) for score in report.scores)
    return {id_: value for id_, value in rows if value is not None}


def tune_gapqa(
    assignment: Assignment, system: NamedSystem, *, progress: Progress | None = None
) -> FittedTemperature:
    """Fit how confident GapQA may be; it never abstains, so there is no threshold to fit."""
    check_enough(assignment.questions.with_gold)
    assert system.model is not None
    folder = find_model(system.model, system=ModelSystem.GAPQA)
    check_writable(folder.path / CONFIG)
    arranged = ArrangedQuestions(assignment.questions, assignment.setting)
    with system.open(
        assignment.dataset, assignment.setting, assignment.questions, assignment.resources
    ) as opened:
        assert isinstance(opened, GapQASystem)
        results = [result for _, result in opened.ask(arranged, progress=progress)]
    scores, right = [], []
    for question, result in zip(assignment.questions, results, strict=True):
        number = right_choice(question)
        if number >= 0:  # those whose right choice is not known count for nothing
            choices = [each.fact_score + each.relation_score for each in result.choices]
            scores.append(np.array(choices, np.float32))
            right.append(number)
    check_enough(len(right))
    fitted = fit_temperature(scores, right)
    write_config(folder.path, {**folder.config, TEMPERATURE: fitted.temperature})
    return fitted
