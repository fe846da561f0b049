"""The demo corpus, opened once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store


@pytest.fixture(scope="session")
def demo_corpus() -> Iterator[Store]:
    with open_store() as store:
        yield store
