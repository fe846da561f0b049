"""Open a project's or board's database, bring it up to date, and read and write it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    URL,
    ColumnElement,
    Engine,
    MetaData,
    Row,
    Select,
    Table,
    create_engine,
    event,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy import Connection as EngineConnection
from sqlalchemy.engine import ExceptionContext
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
        self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic
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


MIGRATIONS = Path(__file__).parent / "migrations"
ONE_AT_A_TIME = 0x1ACC011EC7
"""The number of the lock under which PostgreSQL's tables are changed."""


@dataclass(frozen=True, slots=True)
class Schema:
    """One kind of database: its tables, its branch of the migrations, and its latest time."""

    name: str
    """What it belongs to, and the name of the branch."""
    metadata: MetaData
    latest: Select[tuple[float]]


def bring_schema_up_to_date(engine: Engine, schema: Schema, to: str = "") -> None:
    """Make or change the tables, in one transaction: they are all changed or none."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    head = f"{schema.name}@head"
    known = [script.revision for script in scripts.walk_revisions(head=head)]
    present = schema_version(engine)
    if not to and present == known[0]:
        return
    if present is not None and present not in known:
        raise LacunaError(
            f"This {schema.name}'s database was made by a newer version of Lacuna. Update Lacuna "
            "to open it."
        )
    with engine.connect().execution_options(lacuna_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:number)"), {"number": ONE_AT_A_TIME}
            )
        config.attributes["connection"] = connection
        # It looks again where it stands: another may have been faster.
        command.upgrade(config, to or head)


def schema_version(engine: Engine) -> str | None:
    """The revision that a database has; None where it is empty."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


WRITES = "lacuna_writes"
"""The option that tells a transaction that writes from one that only reads."""
LOCK_TIMEOUT_SECONDS = 30
"""Seconds to wait for another process that writes."""
FRESH = 1.0
"""Seconds in which the clock need not be compared with the latest time that is written down."""
RESTED = 5.0
"""Seconds without use after which a connection may have been cut."""
USED = "lacuna_used"
CONNECTIONS = 20
"""At the same time, of each of three kinds; PostgreSQL takes 100 by default."""


class Transaction:
    """All of a block or nothing, at one moment."""

    def __init__(self, connection: EngineConnection, now: float) -> None:
        self.connection = connection
        self.execute = connection.execute
        self.scalar = connection.scalar
        self.now = now

    def add(self, table: Table, /, **values: Any) -> int:
        """Insert a row; its number, where its table counts rows."""
        made = self.execute(insert(table).values(**values)).inserted_primary_key
        return cast(int, made[0] if made else 0)

    def change(self, table: Table, *where: ColumnElement[bool], **values: Any) -> int:
        """Change all rows of which this holds; how many there were."""
        return self.execute(update(table).where(*where).values(**values)).rowcount


class CollectTransaction(Transaction):
    """That of a project, which writes down what happens."""

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
        event = {"at": self.now, "kind": kind, "person": person, "task": task}
        self.add(EVENT, **event, assignment=assignment, about=dict(about or {}))


Struct = TypeVar("Struct")


def as_struct(kind: type[Struct], row: Row[Any], /, **more: Any) -> Struct:
    """A dataclass from the columns that are called as its fields, and from what is given."""
    names = (field.name for field in fields(cast(Any, kind)) if field.name not in more)
    return kind(**{name: row._mapping[name] for name in names}, **more)


Within = TypeVar("Within", bound=Transaction)


class Database(Generic[Within]):
    """A database of ours; all threads of a process share it."""

    schema: ClassVar[Schema]
    transaction: type[Within]
    """What its transactions can do."""

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
    def open(cls, url: str, *, clock: CollectClock | None = None, create: bool = False) -> Self:
        """Open a database and bring its tables up to date; ``create`` makes SQLite's file."""
        parsed = database_url(url)
        is_file = parsed.get_backend_name() == "sqlite" and not create
        if is_file and not Path(parsed.database or "").is_file():
            raise LacunaError(f"There is no database {parsed.database}.")
        database = cls(_engine(parsed), clock or CollectClock())
        with database.failing_clearly():
            bring_schema_up_to_date(database.engine, cls.schema)
        return database

    @contextmanager
    def begin(self) -> Iterator[Within]:
        """A transaction that writes; it is on the disk when the block has ended."""
        with self.failing_clearly(), self._turn, self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITES: True})
            with connection.begin():
                yield self.transaction(connection, self._now(connection))

    @contextmanager
    def read(self) -> Iterator[Within]:
        """A transaction that only reads, and sees one state of everything."""
        with self.failing_clearly(), self._reading.connect() as connection, connection.begin():
            yield self.transaction(connection, self._now(connection))

    def read_once(self) -> AbstractContextManager[Within]:
        """For what need not be seen at one moment; each statement sees one state of everything."""
        return self.read() if self.is_sqlite else self._one_statement()

    def write_once(self) -> AbstractContextManager[Within]:
        """For one statement that writes; it is on the disk when it has been run."""
        return self.begin() if self.is_sqlite else self._one_statement()

    @contextmanager
    def _one_statement(self) -> Iterator[Within]:
        """PostgreSQL makes each statement a transaction: to begin and end one takes two answers."""
        with self.failing_clearly(), self._single.connect() as connection:
            yield self.transaction(connection, self._now(connection))

    def _now(self, connection: EngineConnection) -> float:
        """The time, not before what others have written down; now and then that is looked at."""
        seen = 0.0
        if time.monotonic() - self._looked > FRESH:
            seen = connection.scalar(self.schema.latest) or 0.0
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


class CollectDatabase(Database[CollectTransaction]):
    """One project's database."""

    schema = Schema("project", METADATA, select(func.max(EVENT.c.at)))
    transaction = CollectTransaction


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


def sqlite_url(path: Path) -> str:
    """The address of a file of SQLite, whatever its name is."""
    return URL.create("sqlite", database=str(path.resolve())).render_as_string(hide_password=False)


def _engine(url: URL, isolation: str = "READ COMMITTED") -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = create_engine(
            url, pool_size=10, max_overflow=CONNECTIONS - 10, isolation_level=isolation
        )
        event.listen(engine, "handle_error", _drop_half_said)
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


def _drop_half_said(context: ExceptionContext) -> None:
    """Let go of a connection on which something failed that the database has said nothing of.

    The driver may have sent half of it, and would take each answer for that to what comes next.
    """
    driver = context.dialect.dbapi
    if driver is not None and not isinstance(context.original_exception, driver.Error):
        context.is_disconnect, context.invalidate_pool_on_disconnect = True, False


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
