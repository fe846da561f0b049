"""An object store for those tests of the corpus that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from benchmarks.corpora.object_store import ObjectStore


@pytest.fixture(scope="session")
def one_object_store() -> Iterator[ObjectStore]:
    with ObjectStore() as store, pytest.MonkeyPatch.context() as patch:
        for name, value in store.environment.items():
            patch.setenv(name, value)
        yield store


@pytest.fixture
def object_store(one_object_store: ObjectStore) -> Iterator[ObjectStore]:
    """Without faults at first; every test takes an address of its own."""
    one_object_store.heal()
    yield one_object_store
    one_object_store.heal()
