"""The always-abstain floor: what a system gets that never answers."""

from __future__ import annotations

from lacuna.metrics.metric import Metric, Row
from lacuna.types import Question


class Floor:
    """Feed it the questions in the file's order."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._groups: list[int] = []
        self._rows: list[Row] = []

    def add(self, question: Question, group: int) -> None:
        """Judge an abstention; a question without gold does not count."""
        if question.gold is not None and question.gold.answers:
            self._groups.append(group)
            self._rows.append(self._metric.judge(question, self._metric.abstention(question)))

    def means(self) -> dict[str, float | None]:
        """The floor of each measure, on the official scorer's scale."""
        if not self._rows:
            return {}
        return self._metric.means(self._metric.finish(self._groups, self._rows))
