"""A store of the format before this one is read as it is, and brought up to date when written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lacuna.corpus import integrity as seal
from lacuna.corpus.check import check_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document, Link


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """As the previous version left it."""
    folder = tmp_path / "store"
    with Store.create(folder) as store, store.writer() as writer:
        writer.add([Document("Ferry", "It sails.", links=(Link(0, 2, "Port"),))])
        writer.add([Document("Port", "A harbour.")])
    (folder / "checksums.json").unlink()
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        connection.execute("ALTER TABLE documents DROP COLUMN sum")
        connection.execute("DELETE FROM counts WHERE name = 'token'")
        connection.execute("PRAGMA user_version = 2")
        connection.commit()
    return folder


def version(folder: Path) -> int:
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def all_works(folder: Path) -> None:
    with Store.open(folder) as store:
        assert store.document("ferry").text == "It sails."
        assert [document.title for document in store][:2] == ["Ferry", "Port"]
        assert store.graph().out_links("Ferry") == ["Port"]
        assert Bm25Retriever(store).search("harbour")[0].title == "Port"


def test_reading_leaves_it_as_it_is(old: Path) -> None:
    all_works(old)
    assert version(old) == 2


def test_a_writer_brings_it_up_to_date(old: Path) -> None:
    with Store.open(old) as reader:
        with Store.open(old) as store, store.writer() as writer:
            writer.add([Document("Lamp", "It shines.")])
        assert reader.document("Lamp").text == "It shines.", "who reads it meanwhile goes on"
    assert version(old) == 3
    all_works(old)
    checked = check_store(old, deep=True)
    assert checked.is_sealed
    assert not checked.problems


def test_a_migration_that_is_interrupted_has_not_begun(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lacuna.corpus import database as migration

    monkeypatch.setattr(migration, "STEPS", (*migration.STEPS[:2], "SELECT no_such_function()"))
    with Store.open(old) as store, pytest.raises(LacunaError), store.writer():
        pass
    assert version(old) == 2
    monkeypatch.undo()
    all_works(old)


@pytest.mark.parametrize(("number", "said"), [(1, "Index the sources again"), (9, "Update Lacuna")])
def test_formats_that_cannot_be_read(old: Path, number: int, said: str) -> None:
    with closing(sqlite3.connect(old / seal.DATABASE)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")
    with pytest.raises(LacunaError, match=said):
        Store.open(old)
