"""Tell if a store is what was written: checksums, checks, and damage said in one way."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.files import checksums
from lacuna.files.checksums import CHUNK, FileSum, read_checksums, remove_checksums, write_checksums

Key = tuple[int, int]
"""A file, whatever its name."""
BINARY = getattr(os, "O_BINARY", 0)


class _Handles:
    """Handles of databases, open as long as this process is connected to them.

    A connection may be closed by the garbage collector, in the middle of anything: also in a thread
    that has the lock. So nobody waits for the lock to say that one was closed; that is noted, and
    whoever has the lock sees to it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connections: Counter[Key] = Counter()
        self._open: defaultdict[Key, list[int]] = defaultdict(list)
        self._gone: deque[Key] = deque()

    @contextmanager
    def connecting(self, path: Path) -> Iterator[Key]:
        """A connection is opened in the block; it tells when it is closed."""
        with self._locked():
            key = _key(path.stat())
            self._connections[key] += 1
        try:
            yield key
        except BaseException:
            self.closed(key)
            raise

    def closed(self, key: Key) -> None:
        """A connection was closed."""
        self._gone.append(key)
        self._settle()

    def sum_of(self, path: Path) -> FileSum:
        """The checksum of the file."""
        with self._locked():
            idle = self._open.get(_key(path.stat()))
            handle = idle.pop() if idle else os.open(path, os.O_RDONLY | BINARY)
            key = _key(os.fstat(handle))
        try:
            return _sum(handle)
        finally:
            with self._locked():
                if key in self._connections:
                    self._open[key].append(handle)
                else:
                    os.close(handle)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        finally:
            self._settle()

    def _settle(self) -> None:
        """See to the connections that were closed, unless somebody else is about to."""
        while self._gone and self._lock.acquire(blocking=False):
            try:
                while self._gone:
                    self._forget(self._gone.popleft())
            finally:
                self._lock.release()

    def _forget(self, key: Key) -> None:
        self._connections[key] -= 1
        if not self._connections[key]:
            del self._connections[key]
            for handle in self._open.pop(key, ()):
                os.close(handle)


HANDLES = _Handles()


class TrackedConnection(sqlite3.Connection):
    """A connection that says when it is closed."""

    key: Key | None = None

    def close(self) -> None:
        super().close()
        if self.key is not None:
            HANDLES.closed(self.key)
            self.key = None


def _key(status: os.stat_result) -> Key:
    return status.st_dev, status.st_ino


def _sum(handle: int) -> FileSum:
    size = crc = 0
    os.lseek(handle, 0, os.SEEK_SET)
    while chunk := os.read(handle, CHUNK):
        size += len(chunk)
        crc = zlib.crc32(chunk, crc)
    return FileSum(size, crc)


ROWS = 256
"""Fetched at a time."""
FAILS = (sqlite3.DatabaseError, UnicodeDecodeError, SystemError)
"""The errors that SQLite raises; the last two where it cannot even say what is wrong."""
NO_SENSE = ("Could not decode to UTF-8", "no such table", "no such column", "malformed", "near ")
"""The beginnings of errors that our own queries never give over a sound database."""
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
    """The reason why something could not be read, without what to do about it."""
    return error.what if isinstance(error, DamagedStoreError) else str(error)


def readable(path: Path) -> str:
    """A path as it can be printed and stored, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "replace")


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


# The checksums of a store: written when a writer ends, removed before the next one changes it.
#
# They cover the database and the text index. The arrays beside them are built by readers too, and
# have their own.


DATABASE, INDEX = "documents.sqlite", "index"
VERIFIED = 256 << 20
"""Bytes of a store that are read through on opening; of a larger one, its smaller files."""
BUSY_TIMEOUT_MILLISECONDS = 250
"""Milliseconds to wait for readers in the middle of something; a store can do without a seal."""


def seal(folder: Path, connection: sqlite3.Connection, token: str) -> None:
    """Write down what the files of a store are now, if nobody is in the middle of reading."""
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}")
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
    """Tell if the files of a store have checksums."""
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


# Where the files of a store can be opened, also where nothing can be written beside them.
#
# SQLite and tantivy put locks beside what they read, and tantivy takes only names in UTF-8. Where
# that cannot be, a temporary folder stands in: with links to the files, or as the last way a copy.


LOG = f"{DATABASE}-wal"
_copies: dict[tuple[Path, int, int], tempfile.TemporaryDirectory[str]] = {}
_copying = threading.Lock()


def database_address(folder: Path) -> str:
    """The database as SQLite can open it."""
    folder = folder.absolute()
    address = (folder / DATABASE).as_uri()
    if os.access(folder, os.W_OK):
        return address
    log = folder / LOG
    if not log.exists() or not log.stat().st_size:
        # Nobody can be writing there, and SQLite need not put its lock files beside it.
        return f"{address}?immutable=1"
    if _opens(f"{address}?mode=ro"):  # its writer, of another user, is at work
        return f"{address}?mode=ro"
    return _copied(folder).as_uri()


def _opens(address: str) -> bool:
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.execute("SELECT count(*) FROM counts").fetchone()
    except sqlite3.Error:
        return False
    return True


def _copied(folder: Path) -> Path:
    """A copy in which SQLite can finish what a killed writer left in its log."""
    with _copying:
        log = (folder / LOG).stat()
        key = (folder, log.st_size, log.st_mtime_ns)
        if key not in _copies:
            _copies[key] = tempfile.TemporaryDirectory(prefix="lacuna-")
            for name in (DATABASE, LOG):
                shutil.copyfile(folder / name, Path(_copies[key].name) / name)
        return Path(_copies[key].name) / DATABASE


class IndexPlace:
    """A folder where tantivy can open an index: the folder itself, or links to what is in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self._links: tempfile.TemporaryDirectory[str] | None = None
        self._each_file = not os.access(folder, os.W_OK)
        self.path = str(folder)
        if self._each_file or not _is_utf8(self.path):
            self._links = tempfile.TemporaryDirectory(prefix="lacuna-")
            self.path = self._links.name
            if self._each_file:
                self.follow()
            else:
                self.path = str(Path(self.path) / "index")
                _link(self._folder, Path(self.path))

    def follow(self) -> None:
        """Take in files that came since; to be called before the index is looked at again."""
        if self._links is None or not self._each_file:
            return
        place = Path(self._links.name)
        here = {path.name for path in self._folder.iterdir() if path.suffix != ".lock"}
        for path in place.iterdir():
            if path.name not in here and path.suffix != ".lock":
                path.unlink()
        for name in sorted(here):
            if not (place / name).is_symlink():
                (place / name).unlink(missing_ok=True)
                _link(self._folder / name, place / name)


def _link(target: Path, link: Path) -> None:
    try:
        link.symlink_to(target)
    except OSError:  # Windows asks for a privilege
        if target.is_dir():
            raise
        shutil.copyfile(target, link)


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
