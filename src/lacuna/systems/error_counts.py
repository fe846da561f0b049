"""The wrong answers of a system by the classes that a dataset's paper tells apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.datasets.answer_trace import AnswerTrace, trace_of_given
from lacuna.datasets.base import Dataset
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import Report
from lacuna.metrics.score_tables import ScoreTable
from lacuna.types import Prediction, Question

ERRORS = "errors"
"""The labelling task of a dataset that has the paper's classes."""


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """How often each class was met, table by table; ``paper`` has the paper's shares in %.

    ``missing`` says why the paper's own classes could not be told, where that is so.
    """

    wrong: int
    tables: Mapping[str, Counter[str]]
    paper: Mapping[str, float | None]
    missing: tuple[str, ...] = ()

    def score_tables(self) -> Iterator[ScoreTable]:
        """One table for each way to tell errors apart."""
        for name, counts in self.tables.items():
            papers = [label for label in self.paper if label in counts or self._is_papers(counts)]
            own = [label for label, _ in counts.most_common() if label not in papers]
            beside = bool(papers)
            rows = tuple(
                (
                    label,
                    counts[label],
                    100 * counts[label] / counts.total(),
                    *((self.paper.get(label),) if beside else ()),
                )
                for label in (*papers, *own)
            )
            columns = (name, "wrong answers", "%", *(("paper, %",) if beside else ()))
            yield ScoreTable(f"Errors: {counts.total():,} of {self.wrong:,}", columns, rows)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"wrong": self.wrong, **{name: dict(some) for name, some in self.tables.items()}}

    def _is_papers(self, counts: Counter[str]) -> bool:
        return any(label in self.paper for label in counts)


def count_errors(
    dataset: Dataset,
    questions: Iterable[Question],
    arranged: Iterable[Question],
    predictions: Mapping[str, Prediction],
    traces: Mapping[str, AnswerTrace],
    report: Report,
    metric: Metric,
) -> ErrorCounts | None:
    """Tell the errors of a report apart; None where the dataset's paper has no classes.

    ``questions`` are as the file has them, ``arranged`` as the setting gave them to the system: a
    system without a trace of its own has read what these come with.
    """
    if not dataset.error_fields:
        return None
    task = next(task for task in dataset.labelling() if task.name == ERRORS)
    assert task.wrong_by is not None
    column = metric.measures.index(task.wrong_by)
    wrong = {score.id for score in report.scores if score.row[column] == 0}
    tables: dict[str, Counter[str]] = {}
    for question, given in zip(questions, arranged, strict=True):
        prediction = predictions.get(question.id)
        if question.id not in wrong or prediction is None:
            continue
        trace = traces.get(question.id) or trace_of_given(given)
        for name, label in dataset.errors(question, prediction, trace).items():
            tables.setdefault(name, Counter())[label] += 1
    papers = {each.name: each.paper for table in task.tables for each in table.categories}
    return ErrorCounts(
        len(wrong),
        tables,
        papers,
        tuple(
            f"There is no table of {name}: {why}."
            for name, why in dataset.error_fields.items()
            if wrong and name not in tables
        ),
    )
