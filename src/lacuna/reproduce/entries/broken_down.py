"""Scores by a label of the questions: what tables 4 and 5 of IIRC and figure 7 of QuAC show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lacuna.datasets.describing.description import DescribedPart
from lacuna.experiment import SystemResult
from lacuna.figures.charts import LineChart
from lacuna.metrics.score_tables import HUMAN, ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.measures import part_cell
from lacuna.reproduce.entries.scored import measured_on
from lacuna.reproduce.published import Cell, PublishedTable
from lacuna.reproduce.recorded import BEFORE, RecordedTable
from lacuna.reproduce.run import SystemRun
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.workbench import Workbench

BY_HUMANS = "human"


@dataclass(frozen=True, slots=True)
class BreakdownEntry(PaperEntry):
    """A row for each value of some labels, a column for each run and measure.

    ``measures`` are the scorer's names with those of the columns. With ``curves``, the first
    measure is drawn as well, and what annotators reach beside it. ``before`` has, by the label,
    what trained networks gave, for where they are not at hand.
    """

    labels: tuple[str, ...] = ()
    measures: tuple[tuple[str, str], ...] = ()
    runs: tuple[SystemRun, ...] = ()
    curves: bool = False
    before: Mapping[str, RecordedTable] = field(default_factory=dict)

    @property
    def needs(self) -> list[str]:
        return list(dict.fromkeys(need for run in self.runs for need in run.needs))

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        ours: list[_Answered | _Recorded] = []
        lacking = []
        for run in self.runs:
            try:
                ours.append(_Answered(run.what, bench.results(run)))
            except NotHere as missing:
                old = _Recorded(run.what, self.before)
                if run.trained and old.measured(self.measures) and not bench.data.quick:
                    ours.append(old)
                else:
                    lacking.append(f"{run.what}: {missing}.")
        note = " ".join(filter(None, (measured_on(bench, self.runs), self.remark)))
        for label in self.labels:
            yield self._part(label, ours, paper, note, " ".join(lacking))

    def _part(
        self,
        label: str,
        ours: Sequence[_Answered | _Recorded],
        paper: PublishedTable,
        note: str,
        lacking: str,
    ) -> DescribedPart:
        every = [result for one in ours if isinstance(one, _Answered) for result in one.results]
        old = [one for one in ours if isinstance(one, _Recorded)]
        values = next(
            (list(one.report.facets[label]) for one in every if label in one.report.facets), []
        ) or next((list(one.tables[label].rows) for one in old), [])
        if every and not values:
            lacking = f"{lacking} No question of the files has what tells its {label}.".strip()
        if old:
            note = f"{note} {old[0].tables[label].note}".strip()
        rows = tuple(
            self._row(label, value, ours, every, paper) for value in values or list(paper.rows)
        )
        columns = (
            *(label, "questions"),
            *(f"{one.name}, {column}" for one in ours for _, column in self.measures),
            *((BY_HUMANS,) if self._human(every) else ()),
            *(f"paper, {column}" for column in paper.columns),
        )
        title = f"{self.title}, by {label}" if len(self.labels) > 1 else self.title
        return DescribedPart(
            f"{self.name}-{label.replace(' ', '-')}",
            ScoreTable(f"{title}, %", columns, rows),
            self._chart(title, label, values, ours, every) if self.curves and values else None,
            note=note,
            missing=lacking,
        )

    def _row(
        self,
        label: str,
        value: str,
        ours: Sequence[_Answered | _Recorded],
        every: list[SystemResult],
        paper: PublishedTable,
    ) -> tuple[Any, ...]:
        def part(result: SystemResult) -> Mapping[str, Any]:
            return result.report.facets.get(label, {}).get(value, {})

        counted = next((part(result).get("questions") for result in every), None)
        cells = (one.cell(label, value, measure) for one in ours for measure in self.measures)
        human = [part_cell(every[:1], part, HUMAN + self.measures[0][0])]
        return (value, counted, *cells, *(human if self._human(every) else ()), *paper.row(value))

    def _human(self, results: list[SystemResult]) -> bool:
        return bool(results and results[0].report.human)

    def _chart(
        self,
        title: str,
        label: str,
        values: list[str],
        ours: Sequence[_Answered | _Recorded],
        every: list[SystemResult],
    ) -> LineChart:
        measure = self.measures[0]
        curves = {one.what: [one.mean(label, value, measure) for value in values] for one in ours}
        if self._human(every):
            people = _Answered(BY_HUMANS, every[:1])
            by_humans = (HUMAN + measure[0], measure[1])
            human = [people.mean(label, value, by_humans) for value in values]
            curves = {BY_HUMANS: human, **curves}
        at = tuple(range(1, len(values) + 1))
        return LineChart(title, label, measure[1], at, curves, ticks=tuple(values))


Measure = tuple[str, str]
"""The scorer's name, and that of the column."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """A run with its results, one for each seed."""

    what: str
    results: list[SystemResult]

    @property
    def name(self) -> str:
        return self.what

    def cell(self, label: str, value: str, measure: Measure) -> Cell | None:
        def part(result: SystemResult) -> Mapping[str, Any]:
            return result.report.facets.get(label, {}).get(value, {})

        return part_cell(self.results, part, measure[0])

    def mean(self, label: str, value: str, measure: Measure) -> float | None:
        parts = [result.report.facets.get(label, {}).get(value, {}) for result in self.results]
        scale = self.results[0].metric.scale
        known = [part[measure[0]] for part in parts if part.get(measure[0]) is not None]
        return 100 / scale * sum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A run that was measured before: by the label, a table with its columns."""

    what: str
    tables: Mapping[str, RecordedTable]

    @property
    def name(self) -> str:
        return f"{self.what} ({BEFORE})"

    def measured(self, measures: Sequence[Measure]) -> bool:
        """Whether every table has its columns."""
        wanted = {f"{self.what}, {column}" for _, column in measures}
        return bool(self.tables) and all(wanted <= set(t.columns) for t in self.tables.values())

    def cell(self, label: str, value: str, measure: Measure) -> Cell | None:
        table = self.tables[label]
        row = table.rows.get(value)
        return row[table.columns.index(f"{self.what}, {measure[1]}")] if row else None

    def mean(self, label: str, value: str, measure: Measure) -> float | None:
        cell = self.cell(label, value, measure)
        return cell if isinstance(cell, float) else None
