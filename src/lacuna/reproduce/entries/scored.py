"""Tables of scores: each row a system, ours beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.measures import ScoreColumn, over_seeds
from lacuna.reproduce.published import Cell, PublishedTable
from lacuna.reproduce.recorded import BEFORE, RecordedTable
from lacuna.reproduce.run import SystemRun
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.workbench import Workbench

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
    """What a cell says of a run that cannot be made here."""
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
