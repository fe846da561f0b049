"""Open a project's database, bring it up to date, and read and write it in transactions."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from pg8000.converters import make_params
from pg8000.core import BIND, EXECUTE_MSG, NULL_BYTE, QUERY, SYNC_MSG, Context, H_pack, i_pack
from pg8000.dbapi import IntegrityError, ProgrammingError, convert_paramstyle
from pg8000.exceptions import DatabaseError, InterfaceError
from pg8000.legacy import Connection, Cursor
from sqlalchemy import URL, Engine, create_engine, event, func, insert, make_url, select, text
from sqlalchemy import Connection as EngineConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.exc import IntegrityError as EngineIntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from lacuna.errors import LacunaError
from lacuna_collect.database.tables import EVENT, METADATA


class CollectClock:
    """Seconds since 1970, never less than any time that it told or was told of before.

    After the machine's clock was set back, it goes on from where it was at the usual speed, so that
    no lease ends early and none lasts for ever.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._lock = threading.Lock()
        self._last = float("-inf")
        self._measured = steady()

    def now(self, seen: float = 0.0) -> float:
        """The present time; ``seen`` is the latest that is written down."""
        with self._lock:
            measured = self._steady()
            elapsed = max(measured - self._measured, 0.0)
            self._last = max(self._wall(), self._last + elapsed, seen)
            self._measured = measured
            return self._last


FULL = "53100"
"""PostgreSQL's code for a full disk."""


class DatabaseFailedError(LacunaError):
    """The database could not do what was asked; nothing of it was done."""


def as_failure(error: Exception, shown_url: str) -> DatabaseFailedError:
    """The failure in one paragraph."""
    if isinstance(error, PoolTimeoutError):
        return DatabaseFailedError(
            "Too much is asked of the database at once. Nothing was saved just now: try again."
        )
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    said = _said(cause)
    if _is_full(cause, said):
        return DatabaseFailedError(
            f"The disk of {shown_url} is full. Nothing was saved just now; nothing is lost that "
            "was saved before: make room there, and do it again."
        )
    if "locked" in said or "busy" in said:
        return DatabaseFailedError(
            f"{shown_url} is in use by another process for too long. Nothing was saved just now: "
            "try again."
        )
    return DatabaseFailedError(
        f"The database {shown_url} cannot be used: {said}. Nothing was saved just now. See whether "
        "it is there, running and may be written to."
    )


def _is_full(cause: Any, said: str) -> bool:
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", "")
        return name in ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE")
    return _code(cause) == FULL or "No space left" in said


def _code(cause: Any) -> str:
    details = cause.args[0] if getattr(cause, "args", ()) else None
    return str(details.get("C", "")) if isinstance(details, dict) else ""


def _said(cause: Any) -> str:
    details = cause.args[0] if getattr(cause, "args", ()) else cause
    return str(details.get("M", details) if isinstance(details, dict) else details).rstrip(".")


# PostgreSQL spoken with as few messages as it needs.
#
# The driver has every statement parsed and described anew, and waits for an answer after each of
# these steps and after the beginning of a transaction. Here a connection has a statement parsed
# once; after that all that a statement needs is sent at once, and one answer is waited for.


MOST = 300
"""Statements that a connection keeps; those with long lists of values are many."""
BEGIN = "begin transaction"
THERE_ALREADY = "23505"
"""PostgreSQL's code for a row that is there already."""


class PreparingConnection(Connection):
    """A connection that has each statement parsed once."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._prepared: dict[str, tuple[bytes, Any, Any]] = {}

    def cursor(self) -> PreparingCursor:
        """What statements are run with."""
        return PreparingCursor(self)

    def commit(self) -> None:
        """End a transaction; all of it is on the disk then."""
        if self._in_transaction:
            self.execute_simple("commit")

    def rollback(self) -> None:
        """End a transaction as if it had not been."""
        if self._in_transaction:
            self.execute_simple("rollback")

    def run_prepared(self, operation: str, values: Sequence[Any]) -> Context:
        """Run a statement, and begin a transaction with it where there is none."""
        begins = not (self._in_transaction or self.autocommit)
        if operation not in self._prepared:
            if begins:
                self.execute_simple(BEGIN)
                begins = False
            self._prepare(operation)
        name, columns, readers = self._prepared[operation]
        context = Context(operation, columns=columns, input_funcs=readers)
        # Made before anything is sent: a value that cannot be sent leaves nothing half said.
        sent = self._bound(name, make_params(self.py_types, values)) + EXECUTE_MSG + SYNC_MSG
        self._send((_message(QUERY, BEGIN.encode() + NULL_BYTE) if begins else b"") + sent)
        if begins:
            self.handle_messages(Context(BEGIN))
        self.handle_messages(context)
        return context

    def _prepare(self, operation: str) -> None:
        if len(self._prepared) >= MOST:
            oldest = next(iter(self._prepared))
            self.close_prepared_statement(self._prepared.pop(oldest)[0])
        self._prepared[operation] = self.prepare_statement(_numbered(operation), ())

    def _bound(self, name: bytes, values: Sequence[str | None]) -> bytes:
        said = bytearray(NULL_BYTE + name + H_pack(0) + H_pack(len(values)))
        for value in values:
            if value is None:
                said += i_pack(-1)
            else:
                encoded = value.encode(self._client_encoding)
                said += i_pack(len(encoded)) + encoded
        return _message(BIND, bytes(said + H_pack(0)))

    def _send(self, messages: bytes) -> None:
        try:
            self._sock.write(messages)
            self._sock.flush()
        except (AttributeError, ValueError) as error:  # there is no socket, or it is closed
            raise InterfaceError("connection is closed") from error
        except OSError as error:
            raise InterfaceError("network error") from error


class PreparingCursor(Cursor):
    """Runs statements that have values as prepared ones, and all others as the driver does."""

    def execute(self, operation: str, args: Sequence[Any] = (), stream: Any = None) -> Cursor:
        """Run a statement."""
        if not args or stream is not None or self._input_oids:
            return super().execute(operation, args, stream)
        try:
            self._context = self._c.run_prepared(operation, args)
        except DatabaseError as error:
            details = error.args[0]
            code = details.get("C") if isinstance(details, dict) else None
            kind = IntegrityError if code == THERE_ALREADY else ProgrammingError
            raise kind(details) from error
        self._row_iter = iter(self._context.rows or ())
        return self


def _message(code: bytes, said: bytes) -> bytes:
    length: bytes = i_pack(len(said) + 4)
    return code + length + said


@lru_cache(maxsize=4 * MOST)
def _numbered(operation: str) -> str:
    """With $1 for %s, as PostgreSQL wants it; the driver reads every letter for that."""
    statement: str = convert_paramstyle("format", operation, ())[0]
    return statement


MIGRATIONS = Path(__file__).parent / "migrations"
ONE_AT_A_TIME = 0x1ACC011EC7
"""The number of the lock under which PostgreSQL's tables are changed."""


def bring_schema_up_to_date(engine: Engine, to: str = "head") -> None:
    """Make or change the tables, in one transaction: they are all changed or none."""
    config = _config()
    with engine.connect() as plain:
        present = _present(plain)
        scripts = ScriptDirectory.from_config(config)
        if to == "head" and present == scripts.get_current_head():
            return
        if present is not None and present not in {s.revision for s in scripts.walk_revisions()}:
            raise LacunaError(
                "This project's database was made by a newer version of Lacuna. Update Lacuna to "
                "open it."
            )
    with engine.connect().execution_options(lacuna_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:number)"), {"number": ONE_AT_A_TIME}
            )
        config.attributes["connection"] = connection
        command.upgrade(config, to)  # looks again where it stands: another may have been faster


def _present(connection: EngineConnection) -> str | None:
    """The revision that a database has; None where it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


WRITES = "lacuna_writes"
"""The option that tells a transaction that writes from one that only reads."""
LOCK_TIMEOUT_SECONDS = 30
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

    def __init__(self, connection: EngineConnection, now: float) -> None:
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

    def _now(self, connection: EngineConnection) -> float:
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
        except EngineIntegrityError:  # two wanted the same: whoever asked knows what that means
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
        connect_args={
            "isolation_level": None,
            "timeout": LOCK_TIMEOUT_SECONDS,
            "check_same_thread": False,
        },
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _connect(_: object, record: object, given: Any, named: Any) -> Any:

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


def _begin(connection: EngineConnection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    # IMMEDIATE: what is read at the beginning still holds when it is written.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


BATCH = 500


def copy_database(source: CollectDatabase, target: CollectDatabase) -> int:
    """Copy every row as it is at this moment, all or nothing; how many there were."""
    copied = 0
    with source.read() as old, target.begin() as new:
        for table in METADATA.sorted_tables:
            if new.scalar(select(func.count()).select_from(table)):
                raise LacunaError(
                    f"{target.shown_url} holds a project already. Give an empty database."
                )
        for table in METADATA.sorted_tables:
            rows = old.execute(select(table).execution_options(yield_per=BATCH))
            for batch in rows.mappings().partitions(BATCH):
                new.execute(insert(table), [dict(row) for row in batch])
                copied += len(batch)
            if not target.is_sqlite and "id" in table.c:
                _go_on_counting(new, table.name)
    return copied


def _go_on_counting(transaction: CollectTransaction, table: str) -> None:
    """PostgreSQL counts rows by itself, and does not look at numbers that were brought along."""
    last = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
    transaction.execute(
        text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last}, false)")
    )
