"""A corpus of three linked documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pipeline_parts
import pytest

from lacuna.corpus.store import Store


@pytest.fixture(scope="session")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("ferries") / "store"
    with pipeline_parts.make_store(folder) as store:
        yield store
