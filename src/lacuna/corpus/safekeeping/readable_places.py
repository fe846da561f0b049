"""Where the files of a store can be opened, also where nothing can be written beside them.

SQLite and tantivy put locks beside what they read, and tantivy takes only names in UTF-8. Where
that cannot be, a temporary folder stands in: with links to the files, or as the last way a copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing
from pathlib import Path

from lacuna.corpus.safekeeping.seal import DATABASE

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
    """Where tantivy can open an index: the folder itself, or links to what is in it."""

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
