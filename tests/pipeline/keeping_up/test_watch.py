"""Open corpora that follow their files."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.pipeline import open_corpus as watch
from lacuna.pipeline.open_corpus import Watcher
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import WindowIndex
from lacuna.types import Document


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Kiwi.txt").write_text("The kiwi is a bird.")
    return tmp_path / "notes"


@pytest.fixture
def store(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    with open_store(notes) as opened:
        yield opened


def test_what_is_open_answers_from_the_new_state(notes: Path, store: Store) -> None:
    retriever, windows = Bm25Retriever(store), WindowIndex(store)
    assert windows.document("Kiwi").document.text == "The kiwi is a bird."
    changed: list[Store] = []
    watcher = Watcher(lambda: [store], on_change=changed.append, on_problem=pytest.fail)
    watcher.look()
    assert changed == []
    (notes / "Kiwi.txt").write_text("The kiwi is a fruit.")
    (notes / "Moa.txt").write_text("The moa is extinct.")
    watcher.look()
    assert changed == [store]
    assert windows.document("Kiwi").document.text == "The kiwi is a fruit."
    assert [hit.title for hit in retriever.search("extinct")] == ["Moa"]
    (notes / "Moa.txt").unlink()
    watcher.look()
    assert retriever.search("extinct") == []
    assert "Moa" not in store


def test_a_problem_is_told_once_and_ends_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem: Exception | None = LacunaError("The disk is full.")

    def refresh(_: Store) -> bool:
        if problem is not None:
            raise problem
        with store.writer() as writer:
            writer.add([Document("Moa", "It is extinct.")])
        return True

    monkeypatch.setattr(watch, "refresh_store", refresh)
    told: list[str] = []
    changed: list[Store] = []
    watcher = Watcher(lambda: [store], on_change=changed.append, on_problem=told.append)
    watcher.look()
    watcher.look()
    assert len(told) == 1
    assert told[0].endswith("The disk is full.")
    problem = OSError("gone")
    watcher.look()
    assert told[1].endswith("OSError: gone")
    problem = None
    watcher.look()
    assert (len(told), changed) == (2, [store])


def test_a_source_that_cannot_be_read_keeps_no_other_from_it(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    archive = Path(shutil.make_archive(str(tmp_path / "birds"), "zip", notes))
    other = tmp_path / "other"
    other.mkdir()
    (other / "Reed.txt").write_text("The reed is a plant.")
    told: list[str] = []
    changed: list[Store] = []
    with open_store([archive, other]) as store:
        watcher = Watcher(lambda: [store], on_change=changed.append, on_problem=told.append)
        archive.write_bytes(archive.read_bytes()[:40])
        (other / "Moa.txt").write_text("The moa is extinct.")
        watcher.look()
        assert "Moa" in store
        assert "Kiwi" in store
    assert (changed, len(told)) == ([store], 1)


def test_it_looks_again_and_again_until_it_ends(notes: Path, store: Store) -> None:
    (notes / "Moa.txt").write_text("The moa is extinct.")
    with Watcher(lambda: [store], on_problem=pytest.fail, seconds=0.01) as watcher:
        until = time.monotonic() + 30
        while "Moa" not in store and time.monotonic() < until:
            time.sleep(0.01)
    assert "Moa" in store
    assert not watcher._thread.is_alive()
