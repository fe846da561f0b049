"""An object store that is slow, fails now and then, is full, or refuses: clear words, no loss."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks.corpora.object_store import SECRET, ObjectStore
from equal_stores import assert_equal

from lacuna import demo
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store, new_store_at, store_at
from lacuna.errors import AddressError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document
from lacuna_scale.lance import publish
from lacuna_scale.lance import snapshot as state

from .conftest import Machine


def write(address: Path, *titles: str) -> None:
    with new_store_at(address) as store, store.writer() as writer:
        writer.add(Document(title, f"About {title}.") for title in titles)


def titles(address: Path) -> list[str]:
    with store_at(address) as store:
        return list(store.titles())


def test_a_store_that_fails_now_and_then_is_written_and_read(
    bucket_address: Path, object_store: ObjectStore, machine: Machine, tmp_path: Path
) -> None:
    with Store.create(tmp_path / "store") as expected:
        with expected.writer() as writer:
            refresh_source(writer, demo.ARTICLES)
        with object_store.with_faults(failing=0.05):
            with new_store_at(bucket_address) as store, store.writer() as writer:
                refresh_source(writer, demo.ARTICLES)
            with store_at(bucket_address) as store:
                assert_equal(store, expected)
                assert object_store.requests > 100


def test_a_slow_store_is_written_and_read(
    bucket_address: Path, object_store: ObjectStore, machine: Machine
) -> None:
    with object_store.with_faults(latency=0.2):
        write(bucket_address, "Ferry", "Port")
        store = store_at(bucket_address)
        assert store.document("ferry").text == "About Ferry."
        assert [hit.title for hit in Bm25Retriever(store).search("port")] == ["Port"]


def test_a_full_store_keeps_what_it_had_and_takes_the_rest_later(
    bucket_address: Path, object_store: ObjectStore, machine: Machine, tmp_path: Path
) -> None:
    write(bucket_address, "Old")
    dump = tmp_path / "new.jsonl"
    dump.write_text('{"title": "New", "text": "Text."}')
    with (
        pytest.raises(AddressError, match="no room left"),
        new_store_at(bucket_address) as store,
        store.writer() as writer,
    ):
        assert refresh_source(writer, dump).documents == 1
        object_store.full = True
    object_store.heal()
    assert titles(bucket_address) == ["Old"]
    with new_store_at(bucket_address) as store, store.writer() as writer:
        assert not refresh_source(writer, dump).changed, "it was read before"
    assert titles(bucket_address) == ["Old", "New"]


@pytest.mark.parametrize("code", ["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"])
def test_credentials_that_are_refused_are_told_without_being_named(
    bucket_address: Path, object_store: ObjectStore, machine: Machine, code: str
) -> None:
    with object_store.with_faults(refusing=code):
        with pytest.raises(AddressError, match="refuses the credentials") as told:
            store_at(bucket_address)
        assert SECRET not in str(told.value)
        assert "AKIATESTING" not in str(told.value)


def test_a_wrong_clock_is_told(
    bucket_address: Path, object_store: ObjectStore, machine: Machine
) -> None:
    with (
        object_store.with_faults(refusing="RequestTimeTooSkewed"),
        pytest.raises(AddressError, match="the clock of this machine"),
    ):
        store_at(bucket_address)


def test_whether_it_can_be_reached_now(
    bucket_address: Path, object_store: ObjectStore, machine: Machine
) -> None:
    write(bucket_address, "Old")
    with store_at(bucket_address) as store:
        store.reach()
        with (
            object_store.with_faults(refusing="ExpiredToken"),
            pytest.raises(AddressError, match="refuses the credentials"),
        ):
            store.reach()
        store.reach()


def test_a_corpus_that_was_deleted_is_not_reached(disk_address: Path, machine: Machine) -> None:
    write(disk_address, "Old")
    with store_at(disk_address) as store:
        shutil.rmtree(disk_address.as_posix().removeprefix("file:"))
        with pytest.raises(AddressError, match="is gone"):
            store.reach()


def test_credentials_that_expire_meanwhile_lose_nothing(
    bucket_address: Path, object_store: ObjectStore, machine: Machine
) -> None:
    write(bucket_address, "Old")
    with (
        pytest.raises(AddressError, match="refuses the credentials"),
        new_store_at(bucket_address) as store,
        store.writer() as writer,
    ):
        writer.add([Document("New", "Text.")])
        object_store.refusing = "ExpiredToken"
    object_store.heal()
    assert titles(bucket_address) == ["Old"]
    write(bucket_address, "Newest")
    assert titles(bucket_address) == ["Old", "New", "Newest"]


def test_no_credential_gets_into_the_corpus(
    bucket_address: Path, object_store: ObjectStore, machine: Machine, tmp_path: Path
) -> None:
    write(bucket_address, "Old")
    write(bucket_address, "New")
    for name, content in object_store.contents():
        assert SECRET.encode() not in content, name
        assert b"AKIATESTING" not in content, name
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes()


def test_a_reader_stays_on_what_it_opened_while_a_writer_commits_and_compacts(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "MOST_FRAGMENTS", 2)
    write(disk_address, "T0")
    with store_at(disk_address) as reader, reader.reading():
        search = Bm25Retriever(reader)
        for number in range(1, 5):
            write(disk_address, f"T{number}")
            assert list(reader.titles()) == ["T0"]
            assert [hit.title for hit in search.search("about")] == ["T0"]
            assert reader.document("T0").text == "About T0."
        tables = store_at(disk_address)
        assert len(list(tables.titles())) == 5
        fragments = tables.snapshot.table("documents").get_fragments()  # type: ignore[attr-defined]
        assert len(fragments) <= 3, "small ones have become one"
    assert state.KEPT.total_seconds() >= 3600, "and nobody deletes what it reads"


def test_a_writer_whose_clock_is_days_ahead_deletes_nothing_that_is_read(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(disk_address, "T0")
    monkeypatch.setattr(publish, "CLEARED_EVERY", 1)
    monkeypatch.setattr(publish, "KEPT", timedelta(0))  # as if all were from long ago
    reader = store_at(disk_address)
    with reader, reader.reading():
        for number in range(1, 5):
            write(disk_address, f"T{number}")
        assert [hit.title for hit in Bm25Retriever(reader).search("about")] == ["T0"]
        assert reader.document("T0").text == "About T0."
    assert titles(disk_address) == [f"T{number}" for number in range(5)]
