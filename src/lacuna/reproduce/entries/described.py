"""Tables and figures that are counted: what ``lacuna describe`` says of the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lacuna.datasets import get_dataset
from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry, named_by
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.source import NotHere, Source
from lacuna.reproduce.workbench import Workbench

PAPER = "paper"
"""Begins the names of columns with the paper's numbers."""


@dataclass(frozen=True, slots=True)
class CountedFiles:
    """Files that are counted together, and the parts of their description that are shown."""

    sources: tuple[Source, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DescribedEntry(PaperEntry):
    """Parts of the descriptions of some files."""

    counted: tuple[CountedFiles, ...] = ()

    @property
    def needs(self) -> list[str]:
        return [source.name for counted in self.counted for source in counted.sources]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        lacking: dict[tuple[str, tuple[str, ...]], list[tuple[CountedFiles, str]]] = {}
        for number, counted in enumerate(self.counted):
            try:
                yield from self._counted(bench, number, counted)
            except NotHere as missing:
                kind = counted.sources[0].dataset, counted.parts
                lacking.setdefault(kind, []).append((counted, str(missing)))
        for number, absent in enumerate(lacking.values()):
            yield from self._paper_alone(number, absent)

    def _counted(
        self, bench: Workbench, number: int, counted: CountedFiles
    ) -> Iterator[DescribedPart]:
        files = " and ".join(bench.data.shown(source) for source in counted.sources)
        parts = named_by(bench.described(counted.sources), counted.parts)
        for place, part in enumerate(parts):
            remark = self.remark if not number and not place else ""
            note = " ".join(filter(None, (f"Counted: {files}.", part.note, remark)))
            name = f"{self.name}-{part.name}" + (f"-{number + 1}" if number else "")
            table = part.table
            if len(self.counted) > 1:  # several tables of one kind, told apart
                table = replace(table, title=f"{table.title}: {files}")
            yield replace(part, name=name, table=table, note=note)

    def _paper_alone(
        self, number: int, absent: Sequence[tuple[CountedFiles, str]]
    ) -> Iterator[DescribedPart]:
        """The tables of files that cannot be counted, once for all of a kind, and one reason."""
        counted, why = absent[0]
        files = " and ".join(source.name for each, _ in absent for source in each.sources)
        name = f"{self.name}-{number + 1}"
        empty = get_dataset(counted.sources[0].dataset).description()
        printed = [part for part in named_by(empty.parts(), counted.parts) if _has_paper(part)]
        if not printed:
            table = ScoreTable(self.title, ("files", "why they are not counted"), ((files, why),))
            yield DescribedPart(name, table)
        for part in printed:
            note = " ".join(filter(None, (f"Not counted: {files}.", self.remark)))
            yield DescribedPart(
                f"{name}-{part.name}", _without_ours(part.table), None, note, f"{why}.", part.digits
            )


def _has_paper(part: DescribedPart) -> bool:
    return bool(part.table.rows) and any(map(_is_paper, part.table.columns))


def _is_paper(column: str) -> bool:
    return column.startswith(PAPER)


def _without_ours(table: ScoreTable) -> ScoreTable:
    """What nothing was counted for is unknown, and not 0."""
    known = (True, *map(_is_paper, table.columns[1:]))
    rows = (
        tuple(value if keep else None for value, keep in zip(row, known, strict=True))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))
