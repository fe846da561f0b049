"""PostgreSQL refuses what it cannot take, and the connection is as good as before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from private_postgres import new_postgres_database
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.database.tables import TASK_STATE

NUMBERS = count()


@pytest.fixture
def postgres_database(postgres: Path) -> Iterator[CollectDatabase]:
    opened = CollectDatabase.open(new_postgres_database(postgres, f"refused{next(NUMBERS)}"))
    yield opened
    opened.close()


def test_what_cannot_be_sent_leaves_the_connection_whole(
    postgres_database: CollectDatabase,
) -> None:
    half = "\ud800"
    for _ in range(3):  # the statement is new, known, and the first of a transaction
        with pytest.raises(UnicodeEncodeError), postgres_database.begin() as transaction:
            transaction.execute(insert(TASK_STATE).values(name=half, paused=False))
        with postgres_database.begin() as transaction:
            assert transaction.scalar(select(TASK_STATE.c.name)) is None
    # Each answer is that to its own question: errors come where they belong, and commits are done.
    row = {"name": "task", "paused": False}
    with postgres_database.begin() as transaction:
        transaction.execute(insert(TASK_STATE), row)
    with pytest.raises(IntegrityError), postgres_database.begin() as transaction:
        transaction.execute(insert(TASK_STATE), row)


def test_what_is_there_already_is_told_apart(postgres_database: CollectDatabase) -> None:
    row = {"name": "task", "paused": False}
    with postgres_database.begin() as transaction:
        transaction.execute(insert(TASK_STATE), row)
    with pytest.raises(IntegrityError), postgres_database.begin() as transaction:
        transaction.execute(insert(TASK_STATE), row)
    with postgres_database.write_once() as transaction:
        transaction.execute(insert(TASK_STATE), {**row, "name": "other"})
    with postgres_database.read() as transaction:
        names = transaction.execute(select(TASK_STATE.c.name).order_by(TASK_STATE.c.name))
        assert list(names.scalars()) == ["other", "task"]
