"""A PostgreSQL of the tests' own; they are skipped where it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.collecting.own_postgres import new_postgres_database, own_postgres, postgres_url
from lacuna.errors import LacunaError

__all__ = ["new_postgres_database", "postgres_url", "private_cluster"]


@contextmanager
def private_cluster() -> Iterator[Path]:
    """The folder of a running cluster's socket; nothing of it has to outlast a crash."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(own_postgres(["fsync=off", "max_connections=200"]))
        except LacunaError as error:
            pytest.skip(str(error))
        yield folder
