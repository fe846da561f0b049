"""The checksums of a store: written when a writer ends, removed before the next one changes it.

They cover the database and the text index. The arrays beside them are built by readers too, and
have their own.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from lacuna.corpus.safekeeping.damage import DamagedStoreError
from lacuna.corpus.safekeeping.database_file import HANDLES
from lacuna.errors import LacunaError
from lacuna.files import checksums
from lacuna.files.checksums import FileSum, read_checksums, remove_checksums, write_checksums

DATABASE, INDEX = "documents.sqlite", "index"
VERIFIED = 256 << 20
"""Bytes of a store that are read through on opening; of a larger one, its smaller files."""
PATIENCE = 250
"""Milliseconds to wait for readers in the middle of something; a store can do without a seal."""


def seal(folder: Path, connection: sqlite3.Connection, token: str) -> None:
    """Write down what the files of a store are now, if nobody is in the middle of reading."""
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")
    if not busy:
        with suppress(LacunaError):  # the disk may be full
            write_checksums(folder, [DATABASE, *index_files(folder)], token, _sum_of)


def unseal(folder: Path) -> None:
    """A file of the store is about to change."""
    remove_checksums(folder)


def is_sealed(folder: Path) -> bool:
    """Whether the files of a store have checksums."""
    return read_checksums(folder) is not None


def verify(folder: Path, most: int | None = VERIFIED) -> None:
    """Refuse a store whose files are not what its last writer left."""
    hit = damaged_files(folder, most)
    if not (folder / INDEX / "meta.json").exists():  # an index that was deleted is made anew
        hit = [name for name in hit if not name.startswith(f"{INDEX}/")]
    if hit:
        others = f" and {len(hit) - 1} more of its files are" if len(hit) > 1 else " is"
        raise DamagedStoreError(folder, f"{hit[0]}{others} not as last written")


def damaged_files(folder: Path, most: int | None = None) -> list[str]:
    """The files that are not as they were written; none of a store that is being changed."""
    return checksums.damaged_files(folder, most, _sum_of)


def _sum_of(path: Path) -> FileSum:
    return HANDLES.sum_of(path) if path.name == DATABASE else FileSum.of(path)


def index_files(folder: Path) -> list[str]:
    """The files of the text index, but for its locks."""
    return [
        f"{INDEX}/{path.name}"
        for path in (folder / INDEX).iterdir()
        if path.is_file() and path.suffix != ".lock"
    ]
