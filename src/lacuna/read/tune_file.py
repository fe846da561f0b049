"""Tune a reader on the questions of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from lacuna.metrics import get_metric
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import evaluate
from lacuna.read.reader import Reader
from lacuna.read.settings import enter, style_of
from lacuna.read.style import MAY_ABSTAIN, Style
from lacuna.read.tune import Tuned, Weighing, tune
from lacuna.read.tuning import Doubt, Tuning, check_enough, sort_of
from lacuna.read.weighing import Weighed
from lacuna.types import Answer, Prediction, Question


def tune_on(
    reader: Reader,
    task: str,
    setting: str,
    questions: Sequence[Question],
    progress: Callable[[int], None],
) -> tuple[Style, str, Tuned]:
    """The style that was tuned, the measure it was tuned for, and the tuning.

    Every question is answered once; its answer and "none" are both scored, so that any doubt can
    be judged without reading again.
    """
    style = style_of(task, setting)
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        progress(done)

    entered = [enter(task, setting, question) for question in questions]
    weighed = reader.weigh(entered, style=style, progress=more)
    return tune_weighed(task, style, questions, weighed)


def tune_weighed(
    task: str, style: Style, questions: Sequence[Question], weighed: Sequence[Weighed]
) -> tuple[Style, str, Tuned]:
    """The same of answers that were weighed already."""
    pairs = list(zip(questions, weighed, strict=True))
    metric = get_metric(task)
    always = Tuning(Doubt.same(-1e9))
    answered = _scores(metric, questions, {q.id: one.decided(always) for q, one in pairs})
    none = _scores(metric, questions, {q.id: Prediction(Answer.none()) for q in questions})
    kept = [(q.id, one) for q, one in pairs if q.id in answered]
    check_enough(len(kept))
    weighing = Weighing(
        np.array([one.margin for _, one in kept]),
        np.array([sort_of(one.kind) for _, one in kept]),
        np.array([answered[id_] for id_, _ in kept]),
        np.array([none[id_] for id_, _ in kept]),
    )
    tuned = tune([one for _, one in kept], weighing, may_abstain=style in MAY_ABSTAIN)
    return style, metric.answer_measure, tuned


def _scores(
    metric: Metric, questions: Sequence[Question], predictions: Mapping[str, Prediction]
) -> dict[str, float]:
    report = evaluate(metric, questions, predictions)
    column = report.measures.index(metric.answer_measure)
    rows = ((score.id, score.row[column]) for score in report.scores)
    return {id_: value for id_, value in rows if value is not None}
