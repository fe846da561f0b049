"""The file of a database, read beside SQLite.

On POSIX systems a process loses all its locks on a file when it closes any handle of it, those of
SQLite too; another process would then take the database for its own. So what was opened here is
closed when this process has no connection to the database.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lacuna.files.checksums import CHUNK, FileSum

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
