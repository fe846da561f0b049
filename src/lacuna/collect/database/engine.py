"""Open a project's database, and read and write it in transactions."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, insert, make_url, select
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from lacuna.collect.database.clock import CollectClock
from lacuna.collect.database.failures import as_failure
from lacuna.collect.database.schema import bring_schema_up_to_date
from lacuna.collect.database.tables import EVENT
from lacuna.errors import LacunaError

WRITES = "lacuna_writes"
"""The option that tells a transaction that writes from one that only reads."""
PATIENCE = 30
"""Seconds to wait for another process that writes."""
FRESH = 1.0
"""Seconds in which the clock need not be compared with the latest time that is written down."""
RESTED = 5.0
"""Seconds without use after which a connection may have been cut."""
USED = "lacuna_used"
LATEST = select(func.max(EVENT.c.at))
CONNECTIONS = 20
"""At the same time, of each of three kinds; PostgreSQL takes 100 by default."""


class CollectTransaction:
    """All of a block or nothing, at one moment."""

    def __init__(self, connection: Connection, now: float) -> None:
        self.connection = connection
        self.execute = connection.execute
        self.scalar = connection.scalar
        self.now = now

    def log(
        self,
        kind: str,
        *,
        person: int | None = None,
        task: str = "",
        assignment: int | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """Write down that something happened; nothing is ever taken out of the log."""
        self.execute(
            insert(EVENT).values(
                at=self.now,
                kind=kind,
                person=person,
                task=task,
                assignment=assignment,
                about=dict(about or {}),
            )
        )


class CollectDatabase:
    """One project's database; all threads of a process share it."""

    def __init__(self, engine: Engine, clock: CollectClock) -> None:
        self.engine = engine
        self.clock = clock
        self.shown_url = engine.url.render_as_string(hide_password=True)
        self.is_sqlite = engine.dialect.name == "sqlite"
        # A view that stands still is all that SQLite has; PostgreSQL has to be asked for it, which
        # takes long where it is done for each transaction.
        self._reading = engine if self.is_sqlite else _engine(engine.url, "REPEATABLE READ")
        self._single = engine if self.is_sqlite else _engine(engine.url, "AUTOCOMMIT")
        self._looked = float("-inf")
        # SQLite lets one write at a time, and whoever waits asks again and again: here they queue.
        self._turn = threading.Lock() if self.is_sqlite else nullcontext()

    @classmethod
    def open(
        cls, url: str, *, clock: CollectClock | None = None, create: bool = False
    ) -> CollectDatabase:
        """Open a database and bring its tables up to date; ``create`` makes SQLite's file."""
        parsed = database_url(url)
        is_file = parsed.get_backend_name() == "sqlite" and not create
        if is_file and not Path(parsed.database or "").is_file():
            raise LacunaError(f"There is no database {parsed.database}.")
        database = cls(_engine(parsed), clock or CollectClock())
        with database.failing_clearly():
            bring_schema_up_to_date(database.engine)
        return database

    @contextmanager
    def begin(self) -> Iterator[CollectTransaction]:
        """A transaction that writes; it is on the disk when the block has ended."""
        with self.failing_clearly(), self._turn, self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITES: True})
            with connection.begin():
                yield CollectTransaction(connection, self._now(connection))

    @contextmanager
    def read(self) -> Iterator[CollectTransaction]:
        """A transaction that only reads, and sees one state of everything."""
        with (
            self.failing_clearly(),
            self._reading.connect() as connection,
            connection.begin(),
        ):
            yield CollectTransaction(connection, self._now(connection))

    def read_once(self) -> AbstractContextManager[CollectTransaction]:
        """For what need not be seen at one moment; each statement sees one state of everything."""
        return self.read() if self.is_sqlite else self._one_statement()

    def write_once(self) -> AbstractContextManager[CollectTransaction]:
        """For one statement that writes; it is on the disk when it has been run."""
        return self.begin() if self.is_sqlite else self._one_statement()

    @contextmanager
    def _one_statement(self) -> Iterator[CollectTransaction]:
        """PostgreSQL makes each statement a transaction: to begin and end one takes two answers."""
        with self.failing_clearly(), self._single.connect() as connection:
            yield CollectTransaction(connection, self._now(connection))

    def _now(self, connection: Connection) -> float:
        """The time, not before what others have written down; now and then that is looked at."""
        seen = 0.0
        if time.monotonic() - self._looked > FRESH:
            seen = connection.scalar(LATEST) or 0.0
            self._looked = time.monotonic()
        return self.clock.now(seen)

    @contextmanager
    def failing_clearly(self) -> Iterator[None]:
        """Failures of the database in one paragraph; mistakes of ours keep their traceback."""
        try:
            yield
        except IntegrityError:  # two wanted the same: whoever asked knows what that means
            raise
        except (DBAPIError, PoolTimeoutError, OSError) as error:
            if isinstance(error, OSError) or getattr(error, "connection_invalidated", False):
                self._forget_connections()
            raise as_failure(error, self.shown_url) from error

    def close(self) -> None:
        """Let go of all connections."""
        for engine in (self.engine, self._reading, self._single):
            engine.dispose()

    def _forget_connections(self) -> None:
        """The database hung up: what rests for other uses is as dead, and cannot say good-bye."""
        for engine in (self.engine, self._reading, self._single):
            engine.dispose(close=False)


def database_url(url: str) -> URL:
    """An address of SQLite or PostgreSQL, with the driver that is used for it."""
    try:
        parsed = make_url(url)
    except (ArgumentError, SQLAlchemyError, ValueError) as error:
        raise LacunaError(
            f"{url!r} is no address of a database. Give one such as "
            "postgresql://user:password@host/name, or none for SQLite in the project's folder."
        ) from error
    match parsed.get_backend_name():
        case "sqlite":
            return parsed
        case "postgresql" | "postgres":
            return parsed.set(drivername="postgresql+pg8000")
        case other:
            raise LacunaError(
                f"Databases of the kind {other!r} are not supported. Give an address that begins "
                "with postgresql://, or none for SQLite in the project's folder."
            )


def _engine(url: URL, isolation: str = "READ COMMITTED") -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = create_engine(
            url,
            pool_size=10,
            max_overflow=CONNECTIONS - 10,
            isolation_level=isolation,
        )
        event.listen(engine, "do_connect", _connect)
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", _check_old)
        return engine
    engine = create_engine(
        url,
        pool_size=10,
        max_overflow=CONNECTIONS - 10,
        # None: transactions begin where _begin says so, and not by the driver's own rules.
        connect_args={"isolation_level": None, "timeout": PATIENCE, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _connect(_: object, record: object, given: Any, named: Any) -> Any:
    from lacuna.collect.database.prepared_statements import PreparingConnection  # not for SQLite

    return PreparingConnection(*given, **named)


def _note_use(_: object, record: Any) -> None:
    record.info[USED] = time.monotonic()


def _check_old(connection: Any, record: Any, _: object) -> None:
    """Ask a connection that rested whether it still holds: asking always makes saves slower."""
    used = record.info.get(USED)
    if used is None or time.monotonic() - used < RESTED:
        return
    try:
        cursor = connection.cursor()
        cursor.execute("SELECT 1")
        cursor.close()
        connection.rollback()
    except Exception as error:  # whatever it is, another connection is opened
        raise DisconnectionError from error


def _prepare(connection: Any, _: object) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    # IMMEDIATE: what is read at the beginning still holds when it is written.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
