"""PostgreSQL and Redis as stores that several servers share."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import redis
from sqlalchemy import TextClause, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from lacuna.serve.shared import (
    KEPT_DAYS,
    KEPT_SECONDS,
    STORE_TIMEOUT_SECONDS,
    cannot_open,
    cannot_use,
)

CONNECTIONS = 4
"""Of one server, most of the time; twice as many at once."""
SWEEP = 3600.0
"""Seconds between two looks for answers that are too old."""
MAKE = (
    # Servers that start at once would make the tables twice.
    "SELECT pg_advisory_xact_lock(hashtext('lacuna kept'))",
    "CREATE TABLE IF NOT EXISTS lacuna_answer (id text PRIMARY KEY, kept bytea NOT NULL, "
    "time timestamptz NOT NULL DEFAULT now())",
    "CREATE INDEX IF NOT EXISTS lacuna_answer_time ON lacuna_answer (time)",
    "CREATE TABLE IF NOT EXISTS lacuna_feedback (id text PRIMARY KEY, line text NOT NULL, "
    "time timestamptz NOT NULL DEFAULT now())",
)
PUT_ANSWER = text(
    "INSERT INTO lacuna_answer (id, kept) VALUES (:id, :kept) "
    "ON CONFLICT (id) DO UPDATE SET kept = excluded.kept"
)
ANSWER = text("SELECT kept FROM lacuna_answer WHERE id = :id")
FORGET = text("DELETE FROM lacuna_answer WHERE time < now() - make_interval(days => :days)")
PUT_FEEDBACK = text(
    "INSERT INTO lacuna_feedback (id, line) SELECT CAST(:id AS text), CAST(:line AS text) "
    "WHERE octet_length(CAST(:line AS text)) + (SELECT coalesce(sum(octet_length(line)), 0) "
    "FROM lacuna_feedback WHERE id <> CAST(:id AS text)) <= CAST(:room AS bigint) "
    "ON CONFLICT (id) DO UPDATE SET line = excluded.line RETURNING id"
)
FEEDBACK = text("SELECT line FROM lacuna_feedback ORDER BY time, id")


class PostgresStore:
    """Two tables, which are made where there are none."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._swept = float("-inf")
        # What cannot be reached is told once, by us.
        logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
        try:
            self._engine = create_engine(
                make_url(url).set(drivername="postgresql+pg8000"),
                pool_size=CONNECTIONS,
                max_overflow=CONNECTIONS,
                pool_timeout=STORE_TIMEOUT_SECONDS,
                connect_args={"timeout": STORE_TIMEOUT_SECONDS},
            )
            with self._engine.begin() as connection:
                for statement in MAKE:
                    connection.execute(text(statement))
        except (SQLAlchemyError, ValueError, OSError) as error:
            raise cannot_open(url, _said(error)) from error

    def put_answer(self, answer_id: str, kept: bytes) -> None:
        """Keep an answer, and forget those that are too old."""
        self._done(PUT_ANSWER, id=answer_id, kept=kept)
        if time.monotonic() - self._swept > SWEEP:
            self._swept = time.monotonic()
            self._done(FORGET, days=KEPT_DAYS)

    def answer(self, answer_id: str) -> bytes | None:
        """An answer that was kept."""
        rows = self._done(ANSWER, id=answer_id)
        return bytes(rows[0][0]) if rows else None

    def put_feedback(self, answer_id: str, line: str, room: int) -> bool:
        """Keep a line about an answer, instead of an earlier one, where there is room."""
        return bool(self._done(PUT_FEEDBACK, id=answer_id, line=line, room=room))

    def feedback(self) -> Iterator[str]:
        """All lines of feedback, the oldest first."""
        yield from (line for (line,) in self._done(FEEDBACK))

    def check(self) -> None:
        """Refuse where it does not answer."""
        self._done(text("SELECT 1"))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _done(self, statement: TextClause, **values: Any) -> Sequence[Any]:
        """The rows of a statement, which may be run twice: that a connection was cut while it
        rested is noticed only when it is used."""
        try:
            return self._run(statement, values)
        except (SQLAlchemyError, OSError):
            self._engine.dispose()  # all of them are opened again
        try:
            return self._run(statement, values)
        except (SQLAlchemyError, OSError) as error:
            raise cannot_use(self._url, _said(error)) from error

    def _run(self, statement: TextClause, values: Mapping[str, Any]) -> Sequence[Any]:
        with self._engine.begin() as connection:
            ran = connection.execute(statement, values)
            return ran.all() if ran.returns_rows else ()


def _said(error: Exception) -> Any:
    """What the database says, without the statement and its values."""
    if isinstance(error, ArgumentError):  # it may quote the address
        return ValueError()
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    details = cause.args[0] if getattr(cause, "args", ()) else cause
    return details.get("M", "it refuses") if isinstance(details, dict) else cause


T = TypeVar("T")
ANSWER_KEY = "lacuna:answer:"
FEEDBACK_KEY = "lacuna:feedback"
FEEDBACK_BYTES = "lacuna:feedback:bytes"
PUT_FEEDBACK_SCRIPT = """
local bytes = redis.call('EXISTS', KEYS[1]) == 1 and redis.call('GET', KEYS[2])
if not bytes then -- the first line, or lines of before they were counted
    bytes = 0
    for _, line in ipairs(redis.call('HVALS', KEYS[1])) do bytes = bytes + #line end
end
bytes = bytes - redis.call('HSTRLEN', KEYS[1], ARGV[1]) + #ARGV[2]
if bytes > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SET', KEYS[2], bytes)
return 1
"""
"""In one piece, so that servers that write at once count no line twice."""


class RedisStore:
    """One connection for each thread that needs one; those that were cut are opened again."""

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            self._redis: Any = redis.Redis.from_url(
                url,
                socket_timeout=STORE_TIMEOUT_SECONDS,
                socket_connect_timeout=STORE_TIMEOUT_SECONDS,
            )
            self._redis.ping()
        except (redis.RedisError, ValueError, OSError) as error:
            raise cannot_open(url, error) from error

    def put_answer(self, answer_id: str, kept: bytes) -> None:
        """Keep an answer for some days."""
        self._done(lambda: self._redis.set(f"{ANSWER_KEY}{answer_id}", kept, ex=KEPT_SECONDS))

    def answer(self, answer_id: str) -> bytes | None:
        """An answer that was kept."""
        kept: bytes | None = self._done(lambda: self._redis.get(f"{ANSWER_KEY}{answer_id}"))
        return kept

    def put_feedback(self, answer_id: str, line: str, room: int) -> bool:
        """Keep a line about an answer, instead of an earlier one, where there is room."""
        given = (FEEDBACK_KEY, FEEDBACK_BYTES, answer_id, line, room)
        return bool(self._done(lambda: self._redis.eval(PUT_FEEDBACK_SCRIPT, 2, *given)))

    def feedback(self) -> Iterator[str]:
        """All lines of feedback, the oldest first."""
        lines = [line.decode() for line in self._done(lambda: self._redis.hvals(FEEDBACK_KEY))]
        yield from sorted(lines, key=lambda line: str(json.loads(line).get("time")))

    def check(self) -> None:
        """Refuse where it does not answer."""
        self._done(self._redis.ping)

    def close(self) -> None:
        """Close all connections."""
        self._redis.close()

    def _done(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (redis.RedisError, OSError) as error:
            raise cannot_use(self._url, error) from error
