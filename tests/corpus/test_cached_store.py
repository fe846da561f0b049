"""The corpus of a folder in the cache: several processes read it and bring it up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lacuna.corpus.check import check_store
from lacuna.corpus.open import open_store, store_folder
from lacuna.corpus.store import is_store
from lacuna.retrieve.bm25 import Bm25Retriever


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Ferry\n\nIt is red. See [port](port.md).\n")
    (folder / "port.md").write_text("# Port\n\nA harbour.\n")
    return folder


def search(folder: Path, query: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lacuna", "search", "--corpus", str(folder), query],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_another_process_that_reads_changes_deletes_nothing(notes: Path) -> None:
    with open_store(notes) as held:
        graph, bm25 = held.graph(), Bm25Retriever(held)
        for colour in ("blue", "green", "white"):
            (notes / "a.md").write_text(f"# Ferry\n\nIt is {colour}. See [port](port.md).\n")
            other = search(notes, colour)
            out, err = other.communicate()
            assert other.returncode == 0, err
            assert "Ferry" in out
            assert is_store(held.derived)
            assert [hit.title for hit in bm25.search(colour)] == ["Ferry"]
            assert graph.out_links("Port") == []
        assert held.document("Ferry").text.startswith("It is white")


def test_several_processes_that_index_the_same_folder_at_once(notes: Path) -> None:
    others = [search(notes, "harbour") for _ in range(3)]
    for other in others:
        out, err = other.communicate()
        assert other.returncode == 0, err
        assert "Port" in out
    assert not check_store(store_folder([notes]), deep=True).problems


def test_what_is_left_of_a_lost_corpus_is_cleared(notes: Path) -> None:
    folder = store_folder([notes])
    with open_store(notes):
        pass
    (folder / "documents.sqlite").unlink()
    with open_store(notes) as store:
        assert Bm25Retriever(store).search("harbour")
    assert not check_store(folder, deep=True).problems


@pytest.mark.parametrize("hit", ["documents.sqlite", "index/meta.json"])
def test_a_damaged_corpus_in_the_cache_is_mended_by_itself(notes: Path, hit: str) -> None:
    folder = store_folder([notes])
    with open_store(notes):
        pass
    data = bytearray((folder / hit).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / hit).write_bytes(data)
    with open_store(notes) as store:
        assert Bm25Retriever(store).search("harbour")[0].title == "Port"
        assert len(store) == 2
    assert not check_store(folder, deep=True).problems
