"""Writers on several machines, which are told apart by their cache folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from benchmarks.corpora.object_store import BUCKET, ObjectStore

from lacuna_scale.lance import publish as claim
from lacuna_scale.lance import store as lance_store

Machine = Callable[[str], None]


@pytest.fixture
def bucket_address(object_store: ObjectStore) -> Path:
    """A place in the object store."""
    return Path(f"s3://{BUCKET}/{uuid4().hex}")


@pytest.fixture
def disk_address(tmp_path: Path) -> Path:
    """A place on a shared disk."""
    return Path(f"file://{tmp_path}/shared/corpus")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Go on as another machine."""

    def become(name: str) -> None:
        monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / name))

    become("first")
    return become


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life and looks for what is new follow each other quickly."""
    monkeypatch.setattr(claim, "BEAT", 0.3)
    monkeypatch.setattr(claim, "CLAIM_TIMEOUT_SECONDS", 2.0)
    monkeypatch.setattr(lance_store, "LOOK_EVERY", -1.0)
