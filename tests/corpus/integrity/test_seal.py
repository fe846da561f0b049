"""Damage is noticed on opening, and never taken for damage is what is being written."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from lacuna.corpus import integrity as seal
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document


def fill(folder: Path, *words: str) -> None:
    with Store.create(folder) as store, store.writer() as writer:
        writer.add([Document(word.title(), f"All about {word}.") for word in words])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "store", "ferry", "whale")
    return tmp_path / "store"


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 16
    path.write_bytes(data)


def test_every_file_of_the_database_and_the_index_is_sealed(folder: Path) -> None:
    assert seal.is_sealed(folder)
    for name in [seal.DATABASE, *seal.index_files(folder)]:
        good = (folder / name).read_bytes()
        for place in (0, len(good) // 2, len(good) - 1):
            flip(folder / name, place)
            hit = (folder / name).read_bytes()
            for opening in (Store.open, Store.create):
                with pytest.raises(LacunaError, match=r"is damaged.*lacuna corpus repair"):
                    opening(folder)
            assert (folder / name).read_bytes() == hit
            (folder / name).write_bytes(good)
    with Store.open(folder) as store:
        assert len(store) == 2


def test_an_idle_writer_and_searches_break_no_seal(folder: Path) -> None:
    with Store.open(folder) as store:
        Bm25Retriever(store).search("whale")
        with store.writer():
            pass
        assert seal.is_sealed(folder)
        assert not seal.damaged_files(folder)


def test_while_a_store_is_written_it_has_no_seal(folder: Path) -> None:
    with Store.open(folder) as store:
        with store.writer() as writer:
            writer.add([Document("Lamp", "It shines.")])
            assert not seal.is_sealed(folder)
            with Store.open(folder) as other:
                assert len(other) == 3
        assert seal.is_sealed(folder)
    with Store.open(folder) as store:
        assert len(store) == 3


def test_a_writer_that_fails_leaves_a_store_that_opens_and_is_sealed_again(folder: Path) -> None:
    with Store.open(folder) as store:
        with pytest.raises(ZeroDivisionError), store.writer() as writer:
            writer.add([Document("Lamp", "It shines.")])
            raise ZeroDivisionError
        assert not seal.is_sealed(folder)
        with store.writer():
            pass
        assert seal.is_sealed(folder)


def test_opening_while_another_writes_is_no_damage(folder: Path) -> None:
    done = threading.Event()

    def write() -> None:
        with Store.open(folder) as store:
            for number in range(15):
                with store.writer() as writer:
                    writer.add([Document(f"Page {number}", "More.")])
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    while not done.is_set():
        with Store.open(folder) as store:
            assert len(store) >= 2
    thread.join()


def test_a_damaged_seal_is_none(folder: Path) -> None:
    flip(folder / "checksums.json", 40)
    with Store.open(folder) as store:
        assert len(store) == 2


def test_of_a_large_store_each_document_is_compared_when_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / seal.DATABASE
    place = path.read_bytes().rindex(b"Whale") + 1  # the row, not an index
    assert path.read_bytes().count(b"Whale") >= 2
    monkeypatch.setattr("lacuna.corpus.integrity.verify", lambda *_: None)
    data = path.read_bytes()
    found = 0
    for place in [at for at in range(len(data)) if data.startswith(b"Whale", at)]:
        flip(path, place + 1)
        with Store.open(folder) as store:
            try:
                texts = [store.document("Whale").text, *(document.text for document in store)]
                assert "All about whale." in texts
            except LacunaError as error:
                found += "checksum" in str(error)
        path.write_bytes(data)
    assert found
