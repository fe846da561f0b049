"""Tune a reader on the questions of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from lacuna.answer_mode import MAY_ABSTAIN, AnswerMode
from lacuna.datasets import get_dataset
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import score_predictions
from lacuna.models.reader.reader import ModelReader
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.models.reader.thresholds import NoAnswerThresholds, Tuning, answer_group, check_enough
from lacuna.systems.fit_thresholds import Tuned, Weighing, tune
from lacuna.types import Answer, Prediction, Question


def tune_on(
    reader: ModelReader,
    task: str,
    setting: str,
    questions: Sequence[Question],
    progress: Callable[[int], None],
) -> tuple[AnswerMode, str, Tuned]:
    """The mode that was tuned, the measure it was tuned for, and the tuning.

    Every question is answered once; its answer and "none" are both scored, so that all
    thresholds can be judged without reading again.
    """
    chosen = get_dataset(task).setting(setting)
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        progress(done)

    entered = [chosen.arrange(question) for question in questions]
    weighed = reader.score(entered, mode=chosen.mode, progress=more)
    return tune_weighed(task, chosen.mode, questions, weighed)


def tune_weighed(
    task: str, mode: AnswerMode, questions: Sequence[Question], weighed: Sequence[ScoredAnswer]
) -> tuple[AnswerMode, str, Tuned]:
    """The same of answers that were weighed already."""
    pairs = list(zip(questions, weighed, strict=True))
    metric = get_dataset(task).metric()
    always = Tuning(NoAnswerThresholds.same(-1e9))
    answered = _scores(metric, questions, {q.id: one.decide(always) for q, one in pairs})
    none = _scores(metric, questions, {q.id: Prediction(Answer.none()) for q in questions})
    kept = [(q.id, one) for q, one in pairs if q.id in answered]
    check_enough(len(kept))
    weighing = Weighing(
        np.array([one.margin for _, one in kept]),
        np.array([answer_group(one.kind) for _, one in kept]),
        np.array([answered[id_] for id_, _ in kept]),
        np.array([none[id_] for id_, _ in kept]),
    )
    tuned = tune([one for _, one in kept], weighing, may_abstain=mode in MAY_ABSTAIN)
    return mode, metric.answer_measure, tuned


def _scores(
    metric: Metric, questions: Sequence[Question], predictions: Mapping[str, Prediction]
) -> dict[str, float]:
    report = score_predictions(metric, questions, predictions)
    column = report.measures.index(metric.answer_measure)
    rows = ((score.id, score.row[column]) for score in report.scores)
    return {id_: value for id_, value in rows if value is not None}
