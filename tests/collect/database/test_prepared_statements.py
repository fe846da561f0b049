"""PostgreSQL is told each statement once, whatever is sent with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from private_postgres import new_postgres_database
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from lacuna_collect.database.engine import MOST, CollectDatabase
from lacuna_collect.database.tables import EVENT, TASK_STATE

NUMBERS = count()
PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE :what"


@pytest.fixture
def postgres_database(postgres: Path) -> Iterator[CollectDatabase]:
    opened = CollectDatabase.open(new_postgres_database(postgres, f"prepared{next(NUMBERS)}"))
    yield opened
    opened.close()


def test_a_statement_is_parsed_once(postgres_database: CollectDatabase) -> None:
    with postgres_database.begin() as transaction:
        for kind in ("one", "two", "three"):
            transaction.log(kind)
        prepared = transaction.scalar(text(PREPARED), {"what": "INSERT INTO event%"})
        assert prepared == 1
    with postgres_database.read_once() as transaction:
        assert list(transaction.execute(select(EVENT.c.kind).order_by(EVENT.c.id)).scalars()) == [
            "one",
            "two",
            "three",
        ]


def test_old_statements_make_room(postgres_database: CollectDatabase) -> None:
    with postgres_database.begin() as transaction:
        for number in range(MOST + 20):
            query = text(f"SELECT {number} + CAST(:more AS INTEGER)")
            assert transaction.scalar(query, {"more": 1}) == number + 1
        assert transaction.scalar(text(PREPARED), {"what": "%"}) == MOST
        assert transaction.scalar(text("SELECT 0 + CAST(:more AS INTEGER)"), {"more": 2}) == 2


def test_what_cannot_be_sent_leaves_the_connection_whole(
    postgres_database: CollectDatabase,
) -> None:
    half = "\ud800"
    for _ in range(3):  # the statement is new, known, and the first of a transaction
        with pytest.raises(UnicodeEncodeError), postgres_database.begin() as transaction:
            transaction.execute(insert(TASK_STATE).values(name=half, paused=False))
        with postgres_database.begin() as transaction:
            assert transaction.scalar(select(TASK_STATE.c.name)) is None


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
