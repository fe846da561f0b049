"""What a registry is made of: papers, and an entry for each of their tables and figures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lacuna.datasets.describing.description import DescribedPart
from lacuna.errors import no_such
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.workbench import Workbench

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
    """What is no measurement, or cannot be had here: ``reason`` says why."""

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
