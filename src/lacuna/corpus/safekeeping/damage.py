"""A store that is not as it was written, said in one way wherever it is noticed."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lacuna.corpus.safekeeping.database_file import TrackedConnection
from lacuna.errors import LacunaError

ROWS = 256
"""Fetched at a time."""
FAILS = (sqlite3.DatabaseError, UnicodeDecodeError, SystemError)
"""What SQLite raises; the last two where it cannot even say what is wrong."""
NO_SENSE = ("Could not decode to UTF-8", "no such table", "no such column", "malformed", "near ")
"""How errors begin that our own queries never give over a sound database."""
UNREADABLE = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)


class DamagedStoreError(LacunaError):
    """Files of a store are not as they were written."""

    def __init__(self, folder: Path, what: str) -> None:
        named = readable(folder)
        self.what = what
        super().__init__(
            f"The corpus {named} is damaged: {what}. `lacuna corpus check {named}` says what is "
            f"hit; `lacuna corpus repair {named}` rebuilds what can be rebuilt."
        )


def reason_of(error: Exception) -> str:
    """Why something could not be read, without what to do about it."""
    return error.what if isinstance(error, DamagedStoreError) else str(error)


def readable(path: Path) -> str:
    """A path as it can be printed and stored, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "replace")


def row_sum(source: int, path: str, run: int, title: str, body: bytes) -> int:
    """The checksum of what a document's row holds and nothing else can tell."""
    head = f"{source}\0{path}\0{run}\0{title}\0".encode("utf-8", "surrogatepass")
    return zlib.crc32(body, zlib.crc32(head))


def source_sum(number: int, root: str | bytes | None) -> int:
    """The checksum of where a source lies, which its documents refer to."""
    written = root.encode("utf-8", "surrogatepass") if isinstance(root, str) else root or b""
    return zlib.crc32(written, zlib.crc32(f"{number}\0{type(root).__name__}\0".encode()))


def sum_name(number: int | str) -> str:
    """Under which name ``counts`` has that checksum: in another place than the root itself."""
    return f"source {number}"


@contextmanager
def telling_damage(folder: Path, what: str) -> Iterator[None]:
    """Whatever a library says about bytes that make no sense, it means damage."""
    try:
        yield
    except (LacunaError, sqlite3.Error, MemoryError):
        raise
    except Exception as error:
        raise DamagedStoreError(folder, f"{what} ({type(error).__name__}: {error})") from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # of Rust; it derives from nothing better
            raise DamagedStoreError(folder, f"{what} ({error})") from error
        raise


class StoreConnection(TrackedConnection):
    """A connection that tells damage from other errors."""

    folder = Path()

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        return self.cursor(StoreCursor).execute(sql, parameters)


class StoreCursor(sqlite3.Cursor):
    """Rows of a store."""

    def execute(self, sql: str, parameters: Any = (), /) -> StoreCursor:
        try:
            return super().execute(sql, parameters)
        except FAILS as error:
            raise self._told(error) from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except FAILS as error:
            raise self._told(error) from error

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except FAILS as error:
            raise self._told(error) from error

    def __iter__(self) -> Any:
        while True:
            try:
                rows = super().fetchmany(ROWS)
            except FAILS as error:
                raise self._told(error) from error
            yield from rows
            if len(rows) < ROWS:
                return

    def _told(self, error: Exception) -> Exception:
        """Damage as such; a full or locked database as it is."""
        if not _is_damage(error):
            return error
        folder = getattr(self.connection, "folder", Path())
        return DamagedStoreError(folder, f"its database cannot be read ({error})")


def _is_damage(error: Exception) -> bool:
    return (
        not isinstance(error, sqlite3.DatabaseError)
        or type(error) is sqlite3.DatabaseError
        or getattr(error, "sqlite_errorcode", 0) in UNREADABLE
        or str(error).startswith(NO_SENSE)
    )
