"""Entries that are tables of scores: systems, breakdowns, retrieval and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lacuna.evaluation.experiment import SystemResult
from lacuna.evaluation.retrieval import RANKS
from lacuna.metrics.report import HUMAN, ScoreTable, scaled
from lacuna.metrics.statistics import spread
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.figures.charts import LineChart
from lacuna_lab.reproduce.entry import BEFORE, Cell, PaperEntry, PublishedTable, RecordedTable
from lacuna_lab.reproduce.workbench import NotHere, Search, SystemRun, Workbench

ReadsResult = Callable[[SystemResult], float | None]


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column: what it is called, and how it is read off a result."""

    name: str
    read: ReadsResult


def official(name: str, measure: str) -> ScoreColumn:
    """A number of the official scorer."""
    return ScoreColumn(name, lambda result: _percent(result, result.report.official.get(measure)))


def labelled(name: str, label: str, value: str, measure: str) -> ScoreColumn:
    """The same for the questions with one value of a label."""

    def read(result: SystemResult) -> float | None:
        part = result.report.facets.get(label, {}).get(value, {})
        return _percent(result, part.get(measure))

    return ScoreColumn(name, read)


def abstained(name: str, which: str) -> ScoreColumn:
    """Precision, recall or F1 of recognising questions without an answer."""
    return ScoreColumn(name, lambda result: scaled(result.report.abstention.as_json()[which], 100))


def human(name: str, measure: str) -> ScoreColumn:
    """The scores of annotators against each other, whatever the system."""
    return ScoreColumn(name, lambda result: _percent(result, result.report.human.get(measure)))


def over_seeds(results: Sequence[SystemResult], measure: ScoreColumn) -> float | str | None:
    """One number, or the mean and deviation over seeds with how many they are.

    >>> over_seeds([], ScoreColumn("F1", lambda result: 1.0)) is None
    True
    """
    return seeds_cell(map(measure.read, results))


def seeds_cell(values: Iterable[float | None]) -> float | str | None:
    """The same of the values in %, one for each seed; None are left out.

    >>> seeds_cell([60.0, 64.0]), seeds_cell([60.0, None])
    ('62.00 ± 2.0 (2)', 60.0)
    """
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return known[0] if known else None
    mean = spread(value / 100 for value in known)
    return f"{mean} ({mean.runs})"


def part_cell(
    results: Sequence[SystemResult], part: Callable[[SystemResult], Mapping[str, Any]], measure: str
) -> float | str | None:
    """The same for a part of the questions: a row of a breakdown."""
    return over_seeds(
        results, ScoreColumn("", lambda result: _percent(result, part(result).get(measure)))
    )


def _percent(result: SystemResult, value: float | None) -> float | None:
    return scaled(value, 100 / result.metric.scale)


ABSENT = "not here: "
NOT_OF_THE_DEMO = "measured on the datasets alone, not on the demo"


@dataclass(frozen=True, slots=True)
class RecordedScores:
    """Ours as they were measured before, where a run takes more than a table's while."""

    what: str
    values: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of the paper (or of ours alone), and what is run for it; else the reason.

    ``measures`` are what its cells are read by, where those of the table do not fit.
    """

    name: str
    runs: tuple[SystemRun, ...] = ()
    why_not: str = ""
    recorded: tuple[RecordedScores, ...] = ()
    measures: tuple[ScoreColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreEntry(PaperEntry):
    """A table whose rows are systems and whose columns are measures.

    ``before`` has what trained networks gave in its rows, for where they are not at hand.
    ``of_recorded`` says how the rows were made that are recorded.
    """

    measures: tuple[ScoreColumn, ...] = ()
    rows: tuple[ScoreRow, ...] = ()
    before: RecordedTable = field(default_factory=RecordedTable)
    of_recorded: str = ""

    @property
    def needs(self) -> list[str]:
        every = (need for row in self.rows for run in row.runs for need in run.needs)
        return list(dict.fromkeys(every))

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        columns = (
            *("row", "ours is"),
            *(f"ours, {measure.name}" for measure in self.measures),
            *(f"paper, {column}" for column in paper.columns),
        )
        lines: list[tuple[Any, ...]] = []
        for row in self.rows:
            own = [self._ours(bench, run, row) for run in row.runs]
            if not bench.data.quick:  # they say nothing about the demo
                own += [(old.what, *old.values) for old in row.recorded]
            if why_not := row.why_not or ("" if own else NOT_OF_THE_DEMO):
                own.append((ABSENT + why_not, *self._blank))
            theirs = paper.row(row.name)
            for number, cells in enumerate(own):
                beside = theirs if not number else (None,) * len(theirs)
                lines.append((row.name if not number else "″", *cells, *beside))
        runs = (run for row in self.rows for run in row.runs)
        old = self.before.note if any(BEFORE in line[1] for line in lines) else ""
        of_recorded = "" if bench.data.quick else self.of_recorded
        notes = (measured_on(bench, runs), self.remark, of_recorded, old)
        note = " ".join(filter(None, notes))
        table = ScoreTable("Scores, %", columns, tuple(lines))
        yield DescribedPart(self.name, table, note=note, digits=paper.digits)

    @property
    def _blank(self) -> tuple[None, ...]:
        return (None,) * len(self.measures)

    def _ours(self, bench: Workbench, run: SystemRun, row: ScoreRow) -> tuple[Any, ...]:
        try:
            results = bench.results(run)
        except NotHere as missing:
            cells = self.before.cells(row.name, run.what)
            if run.trained and cells is not None and not bench.data.quick:
                return (self.before.called(row.name, run.what), *cells)
            return (absent_run(run.what, str(missing)), *self._blank)
        measures = row.measures or self.measures
        return (run.what, *(over_seeds(results, measure) for measure in measures))


def absent_run(what: str, why: str) -> str:
    """The text of a cell for a run that cannot be made here."""
    return f"{what}: not here, {why}"


def measured_on(bench: Workbench, runs: Iterable[SystemRun]) -> str:
    """The files that some runs answered, and how many questions each has, in a sentence."""
    files: dict[str, int] = {}
    for run in runs:
        try:
            files[bench.data.shown(run.file)] = bench.results(run)[0].report.questions
        except NotHere:
            continue
    counted = (f"{name} ({count:,} questions)" for name, count in files.items())
    return f"Measured on {' and '.join(counted)}." if files else ""


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
        """Tell if every table has its columns."""
        wanted = {f"{self.what}, {column}" for _, column in measures}
        return bool(self.tables) and all(wanted <= set(t.columns) for t in self.tables.values())

    def cell(self, label: str, value: str, measure: Measure) -> Cell | None:
        table = self.tables[label]
        row = table.rows.get(value)
        return row[table.columns.index(f"{self.what}, {measure[1]}")] if row else None

    def mean(self, label: str, value: str, measure: Measure) -> float | None:
        cell = self.cell(label, value, measure)
        return cell if isinstance(cell, float) else None


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A row of the paper, and what is searched for it; else the reason."""

    name: str
    search: Search | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class SearchEntry(PaperEntry):
    """A row for each set of questions; ``measures`` are as ``lacuna evaluate-retrieval`` has them,
    with the names of the columns."""

    measures: tuple[tuple[str, str], ...] = ()
    rows: tuple[SearchRow, ...] = ()

    @property
    def needs(self) -> list[str]:
        every = (need for row in self.rows if row.search for need in row.search.needs)
        return list(dict.fromkeys(every))

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        columns = (
            *("row", "ours is", "questions"),
            *(f"ours, {name}" for _, name in self.measures),
            *(f"paper, {column}" for column in paper.columns),
        )
        rows = tuple((row.name, *self._ours(bench, row), *paper.row(row.name)) for row in self.rows)
        table = ScoreTable("Scores in %, ranks as they are", columns, rows)
        yield DescribedPart(self.name, table, note=self.remark, digits=paper.digits)

    def _ours(self, bench: Workbench, row: SearchRow) -> tuple[Any, ...]:
        blank = (None,) * (1 + len(self.measures))
        if row.search is None:
            return (ABSENT + row.why_not, *blank)
        try:
            scores = bench.searched(row.search)
            file = bench.data.shown(row.search.file)
        except NotHere as missing:
            return (ABSENT + str(missing), *blank)
        cells = (
            scores[key] if key in RANKS else scaled(scores[key], 100) for key, _ in self.measures
        )
        return (file, scores["questions"], *cells)


@dataclass(frozen=True, slots=True)
class TracedErrorsEntry(PaperEntry):
    """A table for each run and each way in which its dataset tells errors apart."""

    runs: tuple[SystemRun, ...] = ()

    @property
    def needs(self) -> list[str]:
        return list(dict.fromkeys(need for run in self.runs for need in run.needs))

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        tables = [table for run in self.runs for table in self._tables(bench, run)]
        note = " ".join(filter(None, (measured_on(bench, self.runs), self.remark)))
        for place, table in enumerate(tables, 1):
            last = place == len(tables)
            yield DescribedPart(f"{self.name}-{place}", table, note=note if last else "")

    def _tables(self, bench: Workbench, run: SystemRun) -> Iterator[ScoreTable]:
        try:
            errors = bench.results(run)[0].errors
        except NotHere as missing:
            yield ScoreTable(run.what, ("row", "ours"), ((run.what, ABSENT + str(missing)),))
            return
        for table in errors.score_tables() if errors else ():
            yield ScoreTable(f"{run.what}. {table.title}", table.columns, table.rows)
