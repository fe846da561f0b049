"""The numbers that the papers print, as data: one file for each paper, by the table's number."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "published"
Cell = float | str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper: its columns, and its rows by their names."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Cell, ...]]

    @property
    def digits(self) -> int:
        """How many digits the paper has behind the point; ours have as many."""
        cells = [cell for row in self.rows.values() for cell in row if isinstance(cell, float)]
        return max((len(str(cell).partition(".")[2]) for cell in cells), default=1)

    def row(self, name: str) -> tuple[Cell | None, ...]:
        """What the paper has in a row; nothing in one that is ours alone."""
        return self.rows.get(name, (None,) * len(self.columns))


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    """Who wrote a paper, and its tables by the names of their entries ("table-3")."""

    title: str
    authors: str
    tables: Mapping[str, PublishedTable]


def published(paper: str, folder: Path = FOLDER) -> PublishedPaper:
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
