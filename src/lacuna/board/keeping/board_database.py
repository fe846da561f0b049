"""A board's database: one file of SQLite, read and written in transactions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from lacuna.errors import LacunaError

FILE = "board.db"
VERSION = 1
PATIENCE = 30
"""Seconds to wait for another process that writes."""
SCHEMA = """
CREATE TABLE board_table (
    key TEXT PRIMARY KEY, dataset TEXT NOT NULL, setting TEXT NOT NULL, title TEXT NOT NULL,
    rank_by TEXT NOT NULL, measures TEXT NOT NULL, scale REAL NOT NULL, questions INTEGER NOT NULL,
    smallest_part INTEGER NOT NULL, salt TEXT NOT NULL, gold_seal TEXT NOT NULL,
    floor TEXT NOT NULL, human TEXT, added_at REAL NOT NULL
);
CREATE TABLE team (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
    key_sum TEXT NOT NULL UNIQUE, made_at REAL NOT NULL
);
CREATE TABLE submission (
    id INTEGER PRIMARY KEY AUTOINCREMENT, board_table TEXT NOT NULL REFERENCES board_table (key),
    team INTEGER NOT NULL REFERENCES team (id), name TEXT NOT NULL, description TEXT NOT NULL,
    code TEXT NOT NULL, parameters TEXT NOT NULL, is_public INTEGER NOT NULL,
    withdrawn TEXT NOT NULL DEFAULT '', state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT '', file_sum TEXT NOT NULL, salt TEXT NOT NULL,
    sent_at REAL NOT NULL, scored TEXT
);
CREATE INDEX submission_state ON submission (state, id);
CREATE TABLE comparison (
    first INTEGER NOT NULL, second INTEGER NOT NULL, tests TEXT NOT NULL,
    PRIMARY KEY (first, second)
);
CREATE TABLE log (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
    previous TEXT NOT NULL, sum TEXT NOT NULL
);
"""


def insert(connection: sqlite3.Connection, table: str, values: Mapping[str, object]) -> int:
    """Insert a row; its number."""
    marks = ", ".join("?" * len(values))
    made = connection.execute(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
    )
    return made.lastrowid or 0


class BoardDatabase:
    """One board's database; each transaction has a connection of its own."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now

    @classmethod
    def create(cls, path: Path) -> BoardDatabase:
        """Make the file, for its owner alone."""
        path.touch(mode=0o600, exist_ok=False)
        database = cls(path)
        with database._failing_clearly(), closing(database._connect()) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        return database

    def check(self) -> None:
        """Refuse a file that is not there, or that another version made."""
        if not self.path.is_file():
            raise LacunaError(
                f"There is no database {self.path}. Bring it back from a copy of the board, or "
                "make a new board with: lacuna board init"
            )
        with self.read() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise LacunaError(
                f"{self.path} has the format {version}, and this version of Lacuna knows "
                f"{VERSION}. Use the version that wrote it."
            )

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """See one state of everything."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All of a block or nothing; it is on the disk when the block has ended."""
        # IMMEDIATE: what is read at the beginning still holds when it is written.
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._failing_clearly(), closing(self._connect()) as connection:
            connection.execute(begin)
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        # None: transactions begin where they are told to, and not by the driver's own rules.
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    @contextmanager
    def _failing_clearly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:  # two wanted the same: whoever asked knows what that means
            raise
        except sqlite3.Error as error:
            raise LacunaError(
                f"The board's database {self.path} cannot be used: {error}. Nothing was changed "
                "just now. See whether its disk has room and nothing else holds it, and try again."
            ) from error
