"""PostgreSQL ends all connections, as when it is restarted: one refusal, and all goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from private_postgres import new_postgres_database
from sqlalchemy import create_engine, text

from lacuna.collect.database.engine import CollectDatabase, database_url
from lacuna.collect.database.failures import DatabaseFailedError

END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_what_is_refused_once_is_done_the_next_time_in_every_way(postgres: Path) -> None:
    url = new_postgres_database(postgres, "hung_up")
    database = CollectDatabase.open(url)
    ways = (database.begin, database.read, database.read_once, database.write_once)
    for way in ways:
        with way() as transaction:
            assert transaction.scalar(text("SELECT 1")) == 1
    engine = create_engine(database_url(url))
    for first in ways:
        with engine.begin() as connection:
            connection.execute(END)
        with pytest.raises(DatabaseFailedError), first() as transaction:
            transaction.scalar(text("SELECT 1"))
        for way in ways:
            with way() as transaction:
                assert transaction.scalar(text("SELECT 1")) == 1
    engine.dispose()
    database.close()
