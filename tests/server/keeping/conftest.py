"""Real stores to share: a PostgreSQL and a Redis of the tests' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from benchmarks.serving.own_redis import OwnRedis, own_redis
from private_postgres import new_postgres_database, private_cluster

from lacuna.errors import LacunaError
from lacuna.serve.shared import SharedStore, open_shared_store

NUMBERS = count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    with private_cluster() as folder:
        yield folder


@pytest.fixture
def redis() -> Iterator[OwnRedis]:
    with ExitStack() as stack:
        try:
            running = stack.enter_context(own_redis())
        except LacunaError as error:
            pytest.skip(str(error))
        yield running


@pytest.fixture(params=["postgresql", "redis"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty store."""
    if request.param == "redis":
        redis: OwnRedis = request.getfixturevalue("redis")
        return redis.url
    return new_postgres_database(request.getfixturevalue("cluster"), f"kept{next(NUMBERS)}")


@pytest.fixture
def opened(url: str) -> Iterator[Callable[[], SharedStore]]:
    """Opens the store again, as another server does."""
    stores: list[SharedStore] = []

    def open_store() -> SharedStore:
        stores.append(open_shared_store(url))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()
