"""Ours as they were measured before, as data: what took a GPU or many runs, one file a paper."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lacuna.reproduce.published import Cell

FOLDER = Path(__file__).parent / "recorded"
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
        """What a network gave in a row, if that was measured.

        >>> table = RecordedTable(rows={"dev": (1.0,), "dev: ours, alone": (2.0,)})
        >>> table.cells("dev", "ours"), table.cells("dev", "ours, alone")
        ((1.0,), (2.0,))
        """
        return self.rows.get(f"{row}: {what}", self.rows.get(row))

    def called(self, row: str, what: str) -> str:
        """What a page calls a row.

        >>> RecordedTable(which={"full wiki": "of half the steps"}).called("full wiki", "ours")
        'ours (measured before: of half the steps)'
        """
        which = self.which.get(row)
        return f"{what} ({BEFORE}{f': {which}' if which else ''})"


def recorded(paper: str, folder: Path = FOLDER) -> Mapping[str, RecordedTable]:
    """The tables of a paper that were measured before, by the names of their entries."""
    raw = tomllib.loads((folder / f"{paper}.toml").read_text(encoding="utf-8"))
    return {name: _table(name, table) for name, table in raw.items()}


def _table(name: str, raw: Mapping[str, object]) -> RecordedTable:
    match raw:
        case {"columns": [*columns], "rows": dict(rows), **more} if set(more) <= {"which", "note"}:
            cells = {row: tuple(values) for row, values in rows.items()}
            which, note = more.get("which", {}), more.get("note", "")
            if isinstance(which, dict) and isinstance(note, str):
                return RecordedTable(tuple(map(str, columns)), cells, which, note)
    raise ValueError(f"not a recorded table: {name}")
