"""Scores by a label of the questions: what tables 4 and 5 of IIRC and figure 7 of QuAC show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.datasets.describing.description import DescribedPart
from lacuna.experiment import SystemResult
from lacuna.figures.charts import LineChart
from lacuna.metrics.score_tables import HUMAN, ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.measures import part_cell
from lacuna.reproduce.entries.scored import measured_on
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.run import SystemRun
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.workbench import Workbench

BY_HUMANS = "human"


@dataclass(frozen=True, slots=True)
class BreakdownEntry(PaperEntry):
    """A row for each value of some labels, a column for each run and measure.

    ``measures`` are the scorer's names with those of the columns. With ``curves``, the first
    measure is drawn as well, and what annotators reach beside it.
    """

    labels: tuple[str, ...] = ()
    measures: tuple[tuple[str, str], ...] = ()
    runs: tuple[SystemRun, ...] = ()
    curves: bool = False

    @property
    def needs(self) -> list[str]:
        return list(dict.fromkeys(need for run in self.runs for need in run.needs))

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        ours: dict[str, list[SystemResult]] = {}
        lacking = []
        for run in self.runs:
            try:
                ours[run.what] = bench.results(run)
            except NotHere as missing:
                lacking.append(f"{run.what}: {missing}.")
        note = " ".join(filter(None, (measured_on(bench, self.runs), self.remark)))
        for label in self.labels:
            yield self._part(label, ours, paper, note, " ".join(lacking))

    def _part(
        self,
        label: str,
        ours: Mapping[str, list[SystemResult]],
        paper: PublishedTable,
        note: str,
        lacking: str,
    ) -> DescribedPart:
        every = [result for results in ours.values() for result in results]
        values = next(
            (list(one.report.facets[label]) for one in every if label in one.report.facets), []
        )
        if every and not values:
            lacking = f"{lacking} No question of the files has what tells its {label}.".strip()
        rows = tuple(self._row(label, value, ours, paper) for value in values or list(paper.rows))
        columns = (
            *(label, "questions"),
            *(f"{name}, {column}" for name in ours for _, column in self.measures),
            *((BY_HUMANS,) if self._human(every) else ()),
            *(f"paper, {column}" for column in paper.columns),
        )
        title = f"{self.title}, by {label}" if len(self.labels) > 1 else self.title
        return DescribedPart(
            f"{self.name}-{label.replace(' ', '-')}",
            ScoreTable(f"{title}, %", columns, rows),
            self._chart(title, label, values, ours) if self.curves and values else None,
            note=note,
            missing=lacking,
        )

    def _row(
        self,
        label: str,
        value: str,
        ours: Mapping[str, list[SystemResult]],
        paper: PublishedTable,
    ) -> tuple[Any, ...]:
        def part(result: SystemResult) -> Mapping[str, Any]:
            return result.report.facets.get(label, {}).get(value, {})

        every = [result for results in ours.values() for result in results]
        counted = next((part(result).get("questions") for result in every), None)
        cells = (part_cell(each, part, name) for each in ours.values() for name, _ in self.measures)
        human = [part_cell(every[:1], part, HUMAN + self.measures[0][0])]
        return (value, counted, *cells, *(human if self._human(every) else ()), *paper.row(value))

    def _human(self, results: list[SystemResult]) -> bool:
        return bool(results and results[0].report.human)

    def _chart(
        self, title: str, label: str, values: list[str], ours: Mapping[str, list[SystemResult]]
    ) -> LineChart:
        measure = self.measures[0][0]
        curves = {
            name: [_mean(results, label, value, measure) for value in values]
            for name, results in ours.items()
        }
        every = [result for results in ours.values() for result in results]
        if self._human(every):
            human = [_mean(every[:1], label, value, HUMAN + measure) for value in values]
            curves = {BY_HUMANS: human, **curves}
        at = tuple(range(1, len(values) + 1))
        return LineChart(title, label, self.measures[0][1], at, curves, ticks=tuple(values))


def _mean(results: list[SystemResult], label: str, value: str, measure: str) -> float | None:
    parts = [result.report.facets.get(label, {}).get(value, {}) for result in results]
    scale = results[0].metric.scale
    known = [part[measure] for part in parts if part.get(measure) is not None]
    return 100 / scale * sum(known) / len(known) if known else None
