"""PostgreSQL ends all connections, as when it is restarted: one refusal, and all goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from private_postgres import hang_up, new_postgres_database
from sqlalchemy import text

from lacuna_collect.database.engine import CollectDatabase, DatabaseFailedError


def test_what_is_refused_once_is_done_the_next_time_in_every_way(postgres: Path) -> None:
    url = new_postgres_database(postgres, "hung_up")
    database = CollectDatabase.open(url)
    ways = (database.begin, database.read, database.read_once, database.write_once)
    for way in ways:
        with way() as transaction:
            assert transaction.scalar(text("SELECT 1")) == 1
    for first in ways:
        hang_up(url)
        with pytest.raises(DatabaseFailedError), first() as transaction:
            transaction.scalar(text("SELECT 1"))
        for way in ways:
            with way() as transaction:
                assert transaction.scalar(text("SELECT 1")) == 1
    database.close()
