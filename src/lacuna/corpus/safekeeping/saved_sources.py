"""Where the sources of a damaged database lie: of three witnesses, two must agree.

The table ``sources`` and its unique index both have the root of every source, and ``counts`` has
its checksum. They stand in different pages of the file, so that one hit seldom takes two of them.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lacuna.corpus.formats.registry import format_names
from lacuna.corpus.safekeeping.damage import FAILS, source_sum, sum_name
from lacuna.corpus.source_rows import Root, root_text
from lacuna.errors import LacunaError

IN_TABLE = "SELECT id, root FROM sources NOT INDEXED ORDER BY id"
IN_INDEX = "SELECT id, root FROM sources INDEXED BY sqlite_autoindex_sources_1 ORDER BY root"
DETAILS = "SELECT format, run FROM sources NOT INDEXED WHERE id = ?"
SUMS = "SELECT name, value FROM counts ORDER BY name"
MOST_RUNS = 1 << 31


class SavedSources:
    """The sources that can be told for sure; what is lost of the others is noted."""

    def __init__(self, connection: sqlite3.Connection, lost: list[str]) -> None:
        self._connection = connection
        self._lost = lost
        self._unknown: set[int] = set()
        self._runs: dict[int, int] = {}
        self._roots = self._told_roots()

    def known(self, source: int, run: int = 0) -> int:
        """The source of something that was saved, or none where that is lost; ``run`` was one."""
        if source in self._roots:
            self._runs[source] = max(self._runs.get(source, 0), run)
            return source
        if source and source not in self._unknown:
            self._note(source)
        return 0

    def __contains__(self, source: object) -> bool:
        return source in self._roots

    def rows(self) -> Iterator[tuple[int, Root, str, int, int]]:
        """The rows of all sources, as those of ones that are to be read again."""
        for number, root in self._roots.items():
            named, run = next(self._read(DETAILS, number), (None, 0))
            if named not in ("", *format_names()):
                self._lost.append(f"the format in which {root_text(root)} was to be read")
                named = ""
            if not isinstance(run, int) or not 0 <= run < MOST_RUNS:
                run = 0
            yield number, root, named, 0, max(run, self._runs.get(number, 0))

    def _told_roots(self) -> dict[int, Root]:
        told: dict[int, list[Root]] = {}
        for sql in (IN_TABLE, IN_INDEX):
            for number, root in self._read(sql):
                if number > 0 and isinstance(root, str | bytes) and root:
                    told.setdefault(number, []).append(root)
        sums = dict(self._read(SUMS))
        agreed: dict[int, Root] = {}
        for trusts in (_two_agree, _can_be_looked_up):
            for number, roots in sorted(told.items()):
                for root in roots:
                    is_new = number not in agreed and root not in agreed.values()
                    if is_new and trusts(number, root, roots, sums.get(sum_name(number))):
                        agreed[number] = root
        for number, roots in sorted(told.items()):
            # A root that another number has is that source, under a number that was hit.
            if number not in agreed and not set(roots) <= set(agreed.values()):
                self._note(number)
        return agreed

    def _note(self, number: int) -> None:
        self._unknown.add(number)
        self._lost.append(
            f"where source {number} lies: what was read from it is kept, but nothing more can be; "
            "to follow its changes again, index all sources into a new folder"
        )

    def _read(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Rows as far as they can be read."""
        with suppress(LacunaError, *FAILS):
            cursor = self._connection.execute(sql, values)
            while (row := cursor.fetchone()) is not None:
                yield row


def _two_agree(number: int, root: Root, told: list[Root], expected: Any) -> bool:
    return source_sum(number, root) == expected or told.count(root) > 1


def _can_be_looked_up(number: int, root: Root, told: list[Root], expected: Any) -> bool:
    """Without a checksum, as older versions wrote stores, what is on the disk tells."""
    path = Path(os.fsdecode(root))
    try:
        return expected is None and path.is_absolute() and path.exists()
    except OSError:  # such as a name that is too long
        return False
