"""A PostgreSQL of the tests' own; they are skipped where it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from benchmarks.collecting.own_postgres import new_postgres_database, own_postgres, postgres_url
from sqlalchemy import create_engine, text

from lacuna.errors import LacunaError
from lacuna_collect.database.engine import database_url

__all__ = ["hang_up", "new_postgres_database", "postgres_url", "private_cluster"]
END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@contextmanager
def private_cluster() -> Iterator[Path]:
    """The folder of a running cluster's socket; nothing of it has to outlast a crash."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(own_postgres(["fsync=off", "max_connections=200"]))
        except LacunaError as error:
            pytest.skip(str(error))
        yield folder


def hang_up(url: str) -> None:
    """End all connections to a database, as when PostgreSQL is restarted."""
    engine = create_engine(database_url(url))
    with engine.begin() as connection:
        connection.execute(END)
    engine.dispose()
