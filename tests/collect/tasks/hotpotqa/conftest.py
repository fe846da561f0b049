"""A small corpus for the tests of HotpotQA's tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pairs_at_hand import small_store

from lacuna.corpus.store import Store


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("corpus")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LACUNA_CACHE", str(folder / "cache"))
        with small_store(folder) as store:
            yield store
