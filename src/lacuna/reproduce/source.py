"""The files that tables are made from: those of a data folder, or of the demo in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lacuna.datasets.item import Item
from lacuna.train.data.data_folder import DataFile


class NotHere(Exception):  # noqa: N818 - no mistake of anyone's: a row tells it as its reason
    """What a table needs is not at hand; the message says what, and where it may be had."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """Some items of a file, by their numbers from 0 and what they are."""

    name: str
    keeps: Callable[[int, Item], bool]


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a dataset; ``quick`` stands in for it where the demo is shown.

    Where only a part of a file is meant, ``part`` says which, and ``quick_part`` which of the
    demo's.
    """

    file: DataFile
    quick: Path | None = None
    part: FilePart | None = None
    quick_part: FilePart | None = None

    @property
    def dataset(self) -> str:
        """Whose file it is."""
        return self.file.dataset

    @property
    def name(self) -> str:
        """What it is called in lists of what is needed."""
        return self.file.names[0] + (f" ({self.part.name})" if self.part else "")


def first(count: int) -> FilePart:
    """The first items of a file."""
    return FilePart(f"the first {count} items", lambda number, item: number < count)


def chosen(*numbers: int) -> FilePart:
    """Some items by their numbers."""
    return FilePart(f"{len(numbers)} of its items", lambda number, item: number in numbers)


def after(count: int) -> FilePart:
    """All items of a file but the first."""
    return FilePart(f"all but the first {count} items", lambda number, item: number >= count)


@dataclass(frozen=True, slots=True)
class MixedSource(Source):
    """A file with questions of other datasets mixed in, whose links lead to titles of a corpus."""

    added: tuple[Source, ...] = ()
    titles: CorpusSource | None = None

    @property
    def name(self) -> str:
        others = " and ".join(source.file.names[0] for source in self.added)
        return f"{self.file.names[0]} with {others} mixed in"

    @property
    def plain(self) -> Source:
        """The file before anything is mixed in."""
        return Source(self.file, self.quick, self.part, self.quick_part)


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """The files that a corpus is made of; ``quick`` stands in for them where the demo is shown."""

    files: tuple[DataFile, ...]
    quick: Path
