"""Tables about the search alone: how well it finds the gold paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable, scaled
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.scored import ABSENT
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.run import Search
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.workbench import Workbench
from lacuna.systems.retrieval import RANKS


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
