"""The rows that tell what the documents of a store were read from, and how far."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from lacuna.corpus.address import address_of
from lacuna.corpus.safekeeping.damage import source_sum, sum_name

Root = str | bytes
"""Where a source lies; bytes where the path is no UTF-8, which SQLite's text must be."""


def root_of(path: Path) -> Root:
    """The root of a source, by which it is known."""
    if (address := address_of(path)) is not None:
        return address
    name = os.fsencode(path.resolve())
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name


def root_text(root: Root | None) -> str:
    """A root as it can be shown."""
    return root.decode("utf-8", "replace") if isinstance(root, bytes) else root or ""


class SourceRows:
    """Knows the sources of a store; writes inside the transaction of the writer."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def number(self, root: Root, source_format: str = "") -> int:
        """The number of a source, which gets one if it is new."""
        row = self._database.execute("SELECT id FROM sources WHERE root = ?", (root,)).fetchone()
        if row is not None:
            number = int(row[0])
            self._database.execute(
                "UPDATE sources SET format = ? WHERE id = ?", (source_format, number)
            )
        else:
            number = self._new(root, source_format)
        self.note_sum(number, root)
        return number

    def _new(self, root: Root, source_format: str) -> int:
        number = self._database.execute(
            "INSERT INTO sources (root, format, state, items, run, finished) "
            "VALUES (?, ?, '', 0, 0, 0)",
            (root, source_format),
        ).lastrowid
        assert number is not None
        return number

    def note_sum(self, number: int, root: Root) -> None:
        """Write the checksum of where a source lies."""
        self._database.execute(
            "INSERT OR REPLACE INTO counts (name, value) VALUES (?, ?)",
            (sum_name(number), source_sum(number, root)),
        )

    def roots(self) -> list[tuple[Path, str]]:
        """Where the sources lie, and the formats that they are to be read in."""
        rows = self._database.execute("SELECT root, format FROM sources ORDER BY id").fetchall()
        return [(Path(os.fsdecode(root)), source_format) for root, source_format in rows]

    def is_finished(self, root: Root, state: str) -> bool:
        """Whether a source was read to its end in this state."""
        row = self._database.execute(
            "SELECT 1 FROM sources WHERE root = ? AND state = ? AND finished", (root, state)
        ).fetchone()
        return row is not None

    def resume(self, root: Root, state: str) -> tuple[int, int, int]:
        """The number of a source, that of the run over it, and how many items are done.

        In another state than before, everything is to be done once more.
        """
        number = self.number(root)
        known, items, run = self._database.execute(
            "SELECT state, items, run FROM sources WHERE id = ?", (number,)
        ).fetchone()
        if known == state:
            return number, run, items
        self._database.execute(
            "UPDATE sources SET state = ?, items = 0, run = run + 1, finished = 0 WHERE id = ?",
            (state, number),
        )
        self._database.execute("DELETE FROM skipped WHERE source = ?", (number,))
        return number, run + 1, 0

    def note(self, number: int, items: int) -> None:
        """How many items of a source are done."""
        self._database.execute("UPDATE sources SET items = ? WHERE id = ?", (items, number))

    def finish(self, number: int, state: str) -> None:
        """The source was read to its end."""
        self._database.execute(
            "UPDATE sources SET state = ?, finished = 1 WHERE id = ?", (state, number)
        )

    def read_all_again(self) -> None:
        """Nothing counts as read any more."""
        self._database.execute("UPDATE sources SET state = '', finished = 0")
        self._database.execute("UPDATE files SET state = '', digest = x''")
