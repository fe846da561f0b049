"""Tune a model on the questions of a file, and keep what was fitted in the model's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lacuna.answer_mode import MAY_ABSTAIN
from lacuna.datasets.base import Dataset
from lacuna.datasets.openbookqa import right_choice
from lacuna.datasets.setting import Setting
from lacuna.files.writing import check_writable
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import score_predictions
from lacuna.models.answer_scorer import KEY as SCORER_KEY
from lacuna.models.model_folder import (
    CONFIG,
    TEMPERATURE,
    ModelSystem,
    find_model,
    write_config,
)
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.models.reader.thresholds import (
    KEY,
    OVER_CORPUS,
    NoAnswerThresholds,
    Tuning,
    answer_group,
    check_enough,
    keep_tuning,
)
from lacuna.systems.assignment import ArrangedQuestions, Assignment
from lacuna.systems.fit import (
    CandidateScores,
    FittedTemperature,
    FittedTuning,
    fit_temperature,
    fit_tuning,
)
from lacuna.systems.fit_scorer import FittedScorer, JudgedAnswer, JudgedQuestion, fit_scorer
from lacuna.systems.gapqa import GapQASystem
from lacuna.systems.registry import NamedSystem
from lacuna.systems.system import Progress
from lacuna.types import Answer, AnswerKind, Prediction, Question

if TYPE_CHECKING:
    from lacuna.pipeline.rating.rated_answers import ConsideredAnswer

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
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.systems.asking import AskingSystem

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
    """Whether a question has an answer."""
    answers = question.gold.answers if question.gold else ()
    return any(answer.kind is not AnswerKind.NONE for answer in answers)


def _judged(metric: Metric, question: Question, considered: ConsideredAnswer) -> JudgedAnswer:
    row = metric.judge(question, considered.prediction)
    right = (row[metric.measures.index(metric.answer_measure)] or 0.0) >= HALF_RIGHT
    return JudgedAnswer(considered.features, considered.answer, right)


def _groups(setting: Setting, questions: Sequence[Question]) -> list[str]:
    """What is judged together: a collection, or every fifth question where there is but one."""
    if setting.collection is not None:
        collections = [setting.collection(question) for question in questions]
        if len(set(collections)) > 1:
            return collections
    return [str(number % PARTS) for number in range(len(questions))]


def _score(
    assignment: Assignment, system: NamedSystem, progress: Progress | None
) -> list[ScoredAnswer]:
    from lacuna.models.reader.reader import ModelReader
    from lacuna.systems.asking import AskingSystem
    from lacuna.systems.reading import ReaderSystem, running_total

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
