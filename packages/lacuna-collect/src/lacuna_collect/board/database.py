"""A board's settings and tables, with a log in a chain of sums."""

from __future__ import annotations

import hashlib
import json
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from msgspec import Meta
from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    func,
    select,
)

from lacuna.errors import LacunaError
from lacuna.files.settings import read_toml, typed
from lacuna_collect.database.engine import Database, Schema, Transaction, sqlite_url
from lacuna_collect.database.tables import METADATA, JsonText

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
BOARD_METADATA = MetaData(naming_convention=METADATA.naming_convention)


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


BOARD_TABLE = Table(
    "board_table", BOARD_METADATA,
    Column("key", Text, primary_key=True),
    *_texts("dataset", "setting", "title", "rank_by", "salt", "gold_seal"),
    Column("measures", JsonText, nullable=False),
    Column("scale", Double, nullable=False),
    Column("questions", Integer, nullable=False),
    Column("smallest_part", Integer, nullable=False),
    Column("floor", JsonText, nullable=False),
    Column("human", JsonText),
    Column("added_at", Double, nullable=False),
)  # fmt: skip
TEAM = Table(
    "team", BOARD_METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, unique=True),
    Column("key_sum", Text, nullable=False, unique=True),
    Column("made_at", Double, nullable=False),
)  # fmt: skip
SUBMITTED = Table(
    "submission", BOARD_METADATA,
    Column("id", Integer, primary_key=True),
    Column("board_table", Text, ForeignKey("board_table.key"), nullable=False),
    Column("team", Integer, ForeignKey("team.id"), nullable=False),
    *_texts("name", "description", "code", "parameters", "state", "file_sum", "salt"),
    Column("is_public", Boolean, nullable=False),
    Column("withdrawn", Text, nullable=False, server_default=""),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("problem", Text, nullable=False, server_default=""),
    Column("sent_at", Double, nullable=False),
    Column("scored", JsonText),
    Index("submission_state", "state", "id"),
    sqlite_autoincrement=True,  # no number is ever given twice
)  # fmt: skip
COMPARISON = Table(
    "comparison", BOARD_METADATA,
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("second", Integer, primary_key=True, autoincrement=False),
    Column("tests", JsonText, nullable=False),
)  # fmt: skip
LOG = Table(
    "log", BOARD_METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_texts("at", "kind", "previous", "sum"),
    Column("about", JsonText, nullable=False),
)  # fmt: skip


class BoardTransaction(Transaction):
    """That of a board, whose log is a chain of sums."""

    def log(self, kind: str, about: Mapping[str, Any]) -> LogRecord:
        """Write a record, in the transaction of what it tells."""
        last = self.last_record()
        number, previous = (last.number + 1, last.sum) if last else (1, START)
        plain = LogRecord(number, shown_time(self.now), kind, dict(about), previous)
        record = replace(plain, sum=plain.reckoned())
        self.add(LOG, **asdict(record))
        return record

    def records(self) -> list[LogRecord]:
        """All records, the oldest first."""
        rows = self.execute(select(LOG).order_by(LOG.c.number)).mappings()
        return [LogRecord(**row) for row in rows]

    def last_record(self) -> LogRecord | None:
        """The latest record."""
        rows = self.execute(select(LOG).order_by(LOG.c.number.desc()).limit(1)).mappings()
        return next((LogRecord(**row) for row in rows), None)


class BoardDatabase(Database[BoardTransaction]):
    """One board's database, a file of SQLite in its folder."""

    schema = Schema("board", BOARD_METADATA, select(func.max(SUBMITTED.c.sent_at)))
    transaction = BoardTransaction

    @classmethod
    def in_folder(cls, folder: Path, *, create: bool = False) -> BoardDatabase:
        """That of a board; ``create`` makes the file, for its owner alone."""
        path = folder / DATABASE_FILE
        if create:
            path.touch(mode=0o600, exist_ok=False)
        if not path.is_file():
            raise LacunaError(
                f"There is no database {path}. Bring it back from a copy of the board, or make a "
                "new board with: lacuna board init"
            )
        return cls.open(sqlite_url(path))


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


def broken_at(records: Iterable[LogRecord]) -> int | None:
    """The number of the first record that is not what was written, or None."""
    previous = START
    for number, record in enumerate(records, start=1):
        in_order = record.number == number and record.previous == previous
        if not in_order or record.sum != record.reckoned():
            return number
        previous = record.sum
    return None
