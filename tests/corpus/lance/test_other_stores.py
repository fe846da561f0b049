"""The same in stores that speak as Google's and Azure's do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from equal_stores import assert_equal
from other_object_stores import CONTAINER, KEY, azure_store, google_store

from lacuna import demo
from lacuna.corpus.open import copy_corpus
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store, new_store_at, store_at
from lacuna.files.cache import StoreBusyError
from lacuna.types import Document

from .conftest import Machine


@pytest.fixture(params=["gs", "az"])
def address(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    with google_store(tmp_path) if request.param == "gs" else azure_store() as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield Path(f"{request.param}://{CONTAINER}/{uuid4().hex}/corpus")


def test_a_corpus_is_written_read_changed_and_copied(
    address: Path, machine: Machine, tmp_path: Path
) -> None:
    with Store.create(tmp_path / "store") as expected, new_store_at(address) as store:
        for each in (expected, store):
            with each.writer() as writer:
                refresh_source(writer, demo.ARTICLES)
            with each.writer() as writer:
                writer.remove("Torrow")
                writer.add([Document("New", "Fresh.")])
        assert_equal(store, expected)
        copy_corpus(address, tmp_path / "copy")
        with store_at(tmp_path / "copy") as copy:
            assert_equal(copy, expected)


def test_of_two_writers_the_second_is_told(address: Path, machine: Machine) -> None:
    with new_store_at(address) as store, store.writer() as writer:
        writer.add([Document("First", "Text.")])
        machine("second")
        with (
            pytest.raises(StoreBusyError, match="being written") as told,
            new_store_at(address) as other,
            other.writer(),
        ):
            pass
        assert KEY not in str(told.value)
        machine("first")
    with store_at(address) as store:
        assert list(store.titles()) == ["First"]
