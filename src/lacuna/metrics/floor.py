"""The always-abstain floor of a file, counted while it streams by."""

from __future__ import annotations

from collections import Counter, defaultdict

from lacuna.metrics.metric import Metric
from lacuna.types import Question


class RunningFloor:
    """What a system would get that never answers; feed it the questions one by one."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._total: defaultdict[str, float] = defaultdict(float)
        self._count: Counter[str] = Counter()

    def add(self, question: Question) -> None:
        """Judge an abstention; a question without gold does not count."""
        if not question.gold or not question.gold.answers:
            return
        for measure, value in self._metric.judge(
            question, self._metric.abstention(question)
        ).items():
            if value is not None:
                self._total[measure] += value
                self._count[measure] += 1

    def means(self) -> dict[str, float]:
        """The floor of the measures that the scorer shows first, in percent."""
        return {
            measure: 100 * self._total[measure] / self._count[measure]
            for measure in self._metric.main
            if self._count[measure]
        }
