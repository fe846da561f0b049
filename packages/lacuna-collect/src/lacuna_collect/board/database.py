"""A board's settings and database: one file of SQLite, with a log in a chain of sums."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from msgspec import Meta

from lacuna.errors import LacunaError
from lacuna.files.settings import read_toml, typed

SETTINGS_FILE = "board.toml"
HEAD = "A board of `lacuna board`. Changes hold after the server was started again."


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """All that the file says."""

    title: Annotated[str, Meta(description="Its heading.")] = "Board"
    about: Annotated[str, Meta(description="A sentence or two below it.")] = ""
    a_week: Annotated[
        int,
        Meta(
            ge=1,
            description="Submissions of a team that are scored within seven days, for each table.",
        ),
    ] = 3
    uploads_a_week: Annotated[
        int,
        Meta(
            ge=1,
            description="Files that a team may send within seven days, those that are refused "
            "included.",
        ),
    ] = 30
    upload_mb: Annotated[
        int, Meta(ge=1, description="Megabytes of a file as it is sent, perhaps gzipped.")
    ] = 32
    unpacked_mb: Annotated[int, Meta(ge=1, description="Megabytes that it may unpack to.")] = 64
    smallest_part: Annotated[
        int,
        Meta(
            ge=1,
            description="Questions of the smallest part with scores of its own; smaller ones are "
            "put together.",
        ),
    ] = 10
    seconds: Annotated[int, Meta(ge=1, description="How long scoring one file may take.")] = 600
    memory_mb: Annotated[int, Meta(ge=1, description="How much memory it may take.")] = 2048


def read_board_file(folder: Path) -> BoardSettings:
    """Read it; what is wrong in it is told by name."""
    path = folder / SETTINGS_FILE
    try:
        return typed(read_toml(path), BoardSettings, str(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LacunaError(
            f"{folder} is no board: it has no {SETTINGS_FILE}. Make one with: "
            f"lacuna board init {folder}"
        ) from error


UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control and formatting characters (which turn the direction of a line), half surrogates, and
code points without a character."""
LONGEST_ADDRESS = 500
UNFIT = frozenset(' <>"\\`')
"""What no address has but in other signs, and what could end it where it is shown."""


def plain_line(text: str, what: str, longest: int) -> str:
    """A text on one line, which must not be empty.

    >>> plain_line(" A\\u202e reader\\n ", "The name", 20)
    'A reader'
    """
    line = " ".join(_visible(text).split())
    if not line:
        raise LacunaError(f"{what} is empty. Give one.")
    return _bounded(line, what, longest)


def plain_text(text: str, what: str, longest: int) -> str:
    """A text of several lines, which may be empty."""
    lines = (" ".join(_visible(line).split()) for line in text.splitlines())
    return _bounded("\n".join(lines).strip(), what, longest)


def web_address(text: str, what: str) -> str:
    """An address that a page may link to, or nothing."""
    address = text.strip()
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        good = False
    is_plain = _visible(address) == address and not set(address) & UNFIT
    if address and not (good and is_plain):
        raise LacunaError(
            f"{what} is no address of the web. Give one that begins with https://, or none."
        )
    return _bounded(address, what, LONGEST_ADDRESS)


def _visible(text: str) -> str:
    return "".join(" " if unicodedata.category(char) in UNSEEN else char for char in text)


def _bounded(text: str, what: str, longest: int) -> str:
    if len(text) > longest:
        raise LacunaError(
            f"{what} has {len(text):,} characters, and at most {longest:,} are taken. Shorten it."
        )
    return text


DATABASE_FILE = "board.db"
VERSION = 1
LOCK_TIMEOUT_SECONDS = 30
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
        connection = sqlite3.connect(self.path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None)
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


# The log: everything that counts, in a chain of sums that shows whether any of it was changed.
#
# Each record holds the sum of the one before, so that the last sum stands for all of them: whoever
# has noted it can tell later whether the past is still the same. What is not public yet is in the
# log as a seal, which tells nothing, and shows afterwards that what is published is what was
# sealed.


START = "0" * 64
"""What the first record has in place of the sum of one before."""
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One thing that happened; ``sum`` is over all other fields."""

    number: int
    at: str
    kind: str
    about: Mapping[str, Any]
    previous: str
    sum: str = ""

    def reckoned(self) -> str:
        """The sum that it should have."""
        fields = asdict(self)
        del fields["sum"]
        return hashlib.sha256(canonical(fields)).hexdigest()


def canonical(value: Any) -> bytes:
    """The one way in which a value is written to be summed.

    >>> canonical({"b": 1, "a": "ü"})
    b'{"a":"\\\\u00fc","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def new_salt() -> str:
    """What makes a seal tell nothing to those who guess at what is sealed."""
    return secrets.token_hex(16)


def seal_of(salt: str, value: Any) -> str:
    """The seal of a value; whoever gets salt and value can check it."""
    return hashlib.sha256(salt.encode() + canonical(value)).hexdigest()


def seal_of_file(salt: str, path: Path) -> str:
    """The seal of a file's bytes; without a salt it is their plain SHA-256."""
    digest = hashlib.sha256(salt.encode())
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def shown_time(seconds: float) -> str:
    """A time as it is logged.

    >>> shown_time(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def append(
    connection: sqlite3.Connection, now: float, kind: str, about: Mapping[str, Any]
) -> LogRecord:
    """Write a record, in the transaction of what it tells."""
    last = connection.execute("SELECT number, sum FROM log ORDER BY number DESC LIMIT 1").fetchone()
    number, previous = (last["number"] + 1, last["sum"]) if last else (1, START)
    plain = LogRecord(number, shown_time(now), kind, dict(about), previous)
    record = LogRecord(number, plain.at, kind, plain.about, previous, plain.reckoned())
    connection.execute(
        "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)",
        (number, record.at, kind, json.dumps(record.about), previous, record.sum),
    )
    return record


def read_log(connection: sqlite3.Connection) -> list[LogRecord]:
    """All records, the oldest first."""
    rows = connection.execute("SELECT * FROM log ORDER BY number")
    return [LogRecord(**{**row, "about": json.loads(row["about"])}) for row in map(dict, rows)]


def broken_at(records: Iterable[LogRecord]) -> int | None:
    """The number of the first record that is not what was written, or None."""
    previous = START
    for number, record in enumerate(records, start=1):
        in_order = record.number == number and record.previous == previous
        if not in_order or record.sum != record.reckoned():
            return number
        previous = record.sum
    return None
