"""Errors told apart by a rule from what a system looked at, where the paper had people do it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.scored import ABSENT, measured_on
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.run import SystemRun
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.workbench import Workbench


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
