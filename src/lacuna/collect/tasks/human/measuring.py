"""What people reach, as the papers reckon it.

Where no supporting sentences are asked for, each person's answer is scored against the file as a
system's would be. HotpotQA (section 5.3) goes the other way about: the answer in the file is that
of one more person; it is held against the new ones, of which the best counts, for the answer and
for the support each by itself. The upper bound takes each person in turn, against all others, and
of each measure the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lacuna.collect.tasks.human.given_answer import gold_of, prediction_of
from lacuna.collect.tasks.human.sheets import SHEETS
from lacuna.collect.tasks.same_item import pairs
from lacuna.collect.tasks.task import FinishedWork, Json
from lacuna.datasets import get_dataset
from lacuna.metrics.human_row import HumanRow
from lacuna.metrics.metric import Metric, Row
from lacuna.types import Gold, Prediction, Question

Works = Sequence[FinishedWork]


def human_row(items: Sequence[Works], made: str) -> HumanRow:
    """The row of some questions, each with everybody's work on it."""
    payload = items[0][0].payload
    dataset, sheet = get_dataset(payload["dataset"]), SHEETS[payload["dataset"]]
    metric = dataset.metric()
    bound: Mapping[str, float | None] = {}
    if sheet.supporting:
        voices = [(_in_file(works[0].payload), *_given(works)) for works in items]
        rows = [_against(metric, first, others) for first, *others in voices]
        bound = metric.means([_best(metric, people) for people in voices])
    else:
        rows = [
            metric.judge(_asked(gold_of(works[0].payload)), given)
            for works in items
            for given in _given(works)
        ]
    return HumanRow(
        payload["dataset"],
        payload["setting"],
        questions=len(items),
        people=len({work.person for works in items for work in works}),
        made=made,
        measures=metric.means(rows),
        upper_bound=bound,
    )


def likeness(payload: Json, one: Json, other: Json) -> float:
    """How alike two people's answers are by the dataset's scorer, from 0 to 1."""
    metric = get_dataset(payload["dataset"]).metric()
    wanted, given = prediction_of(payload, other), prediction_of(payload, one)
    row = _judged(metric, given, wanted, wanted)
    measures = [metric.answer_measure, "sp_f1"]
    values = [row[metric.measures.index(name)] for name in measures if name in metric.measures]
    return sum(value or 0.0 for value in values) / len(values)


def mean_likeness(finished: Works) -> float | None:
    """The mean over any two people who answered the same question."""
    values = [likeness(one.payload, one.work, other.work) for one, other in pairs(finished)]
    return sum(values) / len(values) if values else None


def _in_file(payload: Json) -> Prediction:
    gold = gold_of(payload)
    return Prediction(gold.answers[0], supporting_facts=gold.supporting_facts or ())


def _given(works: Works) -> list[Prediction]:
    return [prediction_of(work.payload, work.work) for work in works]


def _against(metric: Metric, given: Prediction, others: Sequence[Prediction]) -> Row:
    """One person against others: the answer that is nearest, and the support that is."""
    answer = max(others, key=lambda other: _by(metric, given, other, "f1", "em"))
    support = max(others, key=lambda other: _by(metric, given, other, "sp_f1", "sp_em"))
    return _judged(metric, given, answer, support)


def _by(metric: Metric, given: Prediction, other: Prediction, *measures: str) -> list[float]:
    row = _judged(metric, given, other, other)
    return [row[metric.measures.index(name)] or 0.0 for name in measures]


def _judged(metric: Metric, given: Prediction, answer: Prediction, support: Prediction) -> Row:
    """One person's work by another's answer, and by somebody's support."""
    assert answer.answer is not None
    gold = Gold((answer.answer,), supporting_facts=support.supporting_facts)
    return metric.judge(_asked(gold), given)


def _asked(gold: Gold) -> Question:
    """All that a scorer looks at."""
    return Question("", "", gold=gold)


def _best(metric: Metric, people: Sequence[Prediction]) -> Row:
    rows = [
        _against(metric, one, [*people[:number], *people[number + 1 :]])
        for number, one in enumerate(people)
    ]
    return tuple(max(value or 0.0 for value in column) for column in zip(*rows, strict=True))
