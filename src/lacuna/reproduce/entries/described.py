"""Tables and figures that are counted: what ``lacuna describe`` says of the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry, named_by
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.source import NotHere, Source
from lacuna.reproduce.workbench import Workbench


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
        for number, counted in enumerate(self.counted):
            try:
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
            except NotHere as missing:
                files = " and ".join(source.name for source in counted.sources)
                reason = ((files, str(missing)),)
                table = ScoreTable(self.title, ("files", "why they are not counted"), reason)
                yield DescribedPart(f"{self.name}-{number + 1}", table)
