"""The parts of a registry: papers, and an entry for each of their tables and figures."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lacuna.errors import no_such
from lacuna.metrics.report import ScoreTable
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.reproduce.workbench import Workbench

PUBLISHED = Path(__file__).parent / "published"
Cell = float | str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper: its columns, and its rows by their names."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Cell, ...]]

    @property
    def digits(self) -> int:
        """The number of digits behind the point in the paper; ours have as many."""
        cells = [cell for row in self.rows.values() for cell in row if isinstance(cell, float)]
        return max((len(str(cell).partition(".")[2]) for cell in cells), default=1)

    def row(self, name: str) -> tuple[Cell | None, ...]:
        """The paper's numbers in a row; nothing in one that is ours alone."""
        return self.rows.get(name, (None,) * len(self.columns))


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    """A paper: its authors, and its tables by the names of their entries ("table-3")."""

    title: str
    authors: str
    tables: Mapping[str, PublishedTable]


def published(paper: str, folder: Path = PUBLISHED) -> PublishedPaper:
    """The numbers of one paper.

    >>> published("iirc").tables["table-3"].row("Oracle L+C")
    (63.9, 69.2, 65.6, 70.3)
    """
    raw = tomllib.loads((folder / f"{paper}.toml").read_text(encoding="utf-8"))
    title, authors = raw.pop("title"), raw.pop("authors")
    tables = {name: _table(table) for name, table in raw.items()}
    return PublishedPaper(title, authors, tables)


def _table(raw: Mapping[str, object]) -> PublishedTable:
    match raw:
        case {"columns": [*columns], "rows": dict(rows)}:
            cells = {name: tuple(row) for name, row in rows.items()}
            return PublishedTable(tuple(map(str, columns)), cells)
    raise ValueError(f"not a table of a paper: {raw}")


RECORDED = Path(__file__).parent / "recorded"
BEFORE = "measured before"


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """The rows of a table that were measured, by the names that they have in it.

    A row of which several networks were measured is called by its name and theirs: "row: what".
    ``which`` says of some rows which network it was, where it is not the recipe's of today;
    ``note`` says so for all of them.
    """

    columns: tuple[str, ...] = ()
    rows: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    which: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def cells(self, row: str, what: str) -> tuple[Cell, ...] | None:
        """The numbers of a network in a row, if they were measured.

        >>> table = RecordedTable(rows={"dev": (1.0,), "dev: ours, alone": (2.0,)})
        >>> table.cells("dev", "ours"), table.cells("dev", "ours, alone")
        ((1.0,), (2.0,))
        """
        return self.rows.get(f"{row}: {what}", self.rows.get(row))

    def called(self, row: str, what: str) -> str:
        """The name of a row on a page.

        >>> RecordedTable(which={"full wiki": "of half the steps"}).called("full wiki", "ours")
        'ours (measured before: of half the steps)'
        """
        which = self.which.get(row)
        return f"{what} ({BEFORE}{f': {which}' if which else ''})"


def recorded(paper: str, folder: Path = RECORDED) -> Mapping[str, RecordedTable]:
    """The tables of a paper that were measured before, by the names of their entries."""
    raw = tomllib.loads((folder / f"{paper}.toml").read_text(encoding="utf-8"))
    return {name: _recorded_table(name, table) for name, table in raw.items()}


def _recorded_table(name: str, raw: Mapping[str, object]) -> RecordedTable:
    match raw:
        case {"columns": [*columns], "rows": dict(rows), **more} if set(more) <= {"which", "note"}:
            cells = {row: tuple(values) for row, values in rows.items()}
            which, note = more.get("which", {}), more.get("note", "")
            if isinstance(which, dict) and isinstance(note, str):
                return RecordedTable(tuple(map(str, columns)), cells, which, note)
    raise ValueError(f"not a recorded table: {name}")


NOTHING = PublishedTable((), {})


@dataclass(frozen=True, slots=True)
class PaperEntry(ABC):
    """A table or a figure of a paper; ``name`` is what it is asked for by ("table-3").

    ``remark`` says how ours was made, where that is not plain.
    """

    name: str
    title: str
    remark: str = ""

    @property
    def heading(self) -> str:
        """The name as the paper writes it, and the title."""
        kind, number, *more = self.name.split("-")
        return f"{kind.capitalize()} {', '.join((number, *more))}: {self.title}"

    @property
    @abstractmethod
    def needs(self) -> list[str]:
        """The files, systems and runs that it is made from, in words."""

    @abstractmethod
    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        """Ours beside the paper's; what cannot be had is a row with the reason."""


@dataclass(frozen=True, slots=True)
class ReasonEntry(PaperEntry):
    """An entry that is no measurement, or cannot be made here: ``reason`` says why."""

    reason: str = ""

    @property
    def needs(self) -> list[str]:
        return []

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        table = ScoreTable(self.title, ("what", "why it is not here"), ((self.title, self.reason),))
        yield DescribedPart(self.name, table)


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper: how its data and ours differ, and all its tables and figures in their order."""

    name: str
    differs: str
    entries: tuple[PaperEntry, ...]

    def entry(self, name: str) -> PaperEntry:
        """The entry of that name; a bare number is a table's."""
        wanted = f"table-{name}" if name[:1].isdigit() else name
        for entry in self.entries:
            if entry.name == wanted.casefold().replace(" ", "-"):
                return entry
        raise no_such(f"table or figure of {self.name}", name, [one.name for one in self.entries])


def named_by(parts: Iterable[DescribedPart], names: tuple[str, ...]) -> Iterator[DescribedPart]:
    """The parts of these names, in their order; all, where none is named."""
    known = {part.name: part for part in parts}
    for name in names or known:
        if name in known:
            yield known[name]
