"""The log: everything that counts, in a chain of sums that shows whether any of it was changed.

Each record holds the sum of the one before, so that the last sum stands for all of them: whoever
has noted it can tell later whether the past is still the same. What is not public yet is in the log
as a seal, which tells nothing, and shows afterwards that what is published is what was sealed.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

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
