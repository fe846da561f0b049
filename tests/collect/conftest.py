"""A database of each kind, and people to work in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from private_postgres import new_postgres_database, private_cluster
from set_clock import MakeWork, SetClock
from sqlalchemy import insert
from stand_in_task import stand_in_tasks

from lacuna.corpus.open import open_store
from lacuna_collect.database.engine import CollectDatabase, sqlite_url
from lacuna_collect.database.tables import PERSON
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.work.work import Work

NUMBERS = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder of the socket of a PostgreSQL that is the tests' own."""
    with private_cluster() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        (tmp_path / "collect.db").touch()
        return sqlite_url(tmp_path / "collect.db")
    return new_postgres_database(request.getfixturevalue("postgres"), f"test{next(NUMBERS)}")


@pytest.fixture
def time_set() -> SetClock:
    return SetClock()


@pytest.fixture
def database(url: str, time_set: SetClock) -> Iterator[CollectDatabase]:
    opened = CollectDatabase.open(url, clock=time_set.clock)
    yield opened
    opened.close()


@pytest.fixture
def make_work(database: CollectDatabase) -> MakeWork:
    """Work over the stand-in tasks, with their items made."""

    def make(items: int = 3, tests: int = 0, draws: int = 0, **settings: object) -> Work:
        tasks = stand_in_tasks(items, tests, draws, **settings)
        work = Work(database, tasks, lambda: open_store())
        work.items.make(Random(0))
        return work

    return make


@pytest.fixture
def people(database: CollectDatabase) -> list[int]:
    """The numbers of four workers."""
    with database.begin() as transaction:
        return [
            int(
                transaction.execute(
                    insert(PERSON)
                    .values(
                        platform="",
                        name=name,
                        folded=name,
                        role=CollectRole.WORKER,
                        created_at=transaction.now,
                    )
                    .returning(PERSON.c.id)
                ).scalar_one()
            )
            for name in ("ada", "ben", "cleo", "dan")
        ]
