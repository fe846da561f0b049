"""A backup is a store as it was at one moment, whatever others do meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus import repair as backup
from lacuna.corpus.check import check_store
from lacuna.corpus.repair import back_up
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document


def pages(first: int, count: int) -> Iterator[Document]:
    for number in range(first, first + count):
        yield Document(f"Page {number}", f"It is word{number}.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store.create(tmp_path / "store") as store, store.writer() as writer:
        writer.add(pages(0, 30))
    return tmp_path / "store"


def is_whole(folder: Path) -> int:
    checked = check_store(folder, deep=True)
    assert checked.is_sealed
    assert not checked.problems
    with Store.open(folder) as store:
        search = Bm25Retriever(store)
        titles = list(store.titles())
        assert all(
            search.search(title.replace("Page ", "word"))[0].title == title for title in titles
        )
        return len(titles)


def test_a_backup_is_a_store(folder: Path, tmp_path: Path) -> None:
    assert back_up(folder, tmp_path / "far" / "copy") == 30
    assert is_whole(tmp_path / "far" / "copy") == 30
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["copy"]


def test_while_others_write(folder: Path, tmp_path: Path) -> None:
    ended = threading.Event()

    def write() -> None:
        with Store.open(folder) as store:
            first = 30
            while not ended.is_set():
                with store.writer() as writer:
                    writer.add(pages(first, 5))
                    writer.commit()
                    writer.add(pages(first + 5, 5))
                first += 10

    thread = threading.Thread(target=write)
    thread.start()
    try:
        counts = [back_up(folder, tmp_path / f"copy{number}") for number in range(6)]
    finally:
        ended.set()
        thread.join()
    for number, count in enumerate(counts):
        assert is_whole(tmp_path / f"copy{number}") == count
        assert count % 5 == 0, "only what was committed"


def test_of_the_index_that_changes_nothing_is_copied(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_database = backup._copy_database

    def then_write(source: Path, copy: Path) -> None:
        copy_database(source, copy)
        with Store.open(source) as store, store.writer() as writer:
            writer.add(pages(30, 1))

    monkeypatch.setattr(backup, "_copy_database", then_write)
    assert back_up(folder, tmp_path / "copy") == 30
    assert is_whole(tmp_path / "copy") == 30


def test_damage_is_not_copied(folder: Path, tmp_path: Path) -> None:
    path = folder / "documents.sqlite"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(LacunaError, match="is damaged"):
        back_up(folder, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_where_it_may_not_go(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for target in (folder, folder / "copy", tmp_path / "full", tmp_path / "full" / "file"):
        with pytest.raises(LacunaError):
            back_up(folder, target)
    with pytest.raises(LacunaError, match="not a corpus"):
        back_up(tmp_path / "full", tmp_path / "copy")
    (tmp_path / "empty").mkdir()
    assert back_up(folder, tmp_path / "empty") == 30
