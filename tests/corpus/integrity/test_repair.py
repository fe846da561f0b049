"""What is damaged is found, rebuilt where that can be, and named where it cannot."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lacuna.corpus import integrity as seal
from lacuna.corpus.check import check_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.repair import repair_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever

PAGES = 40


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(PAGES):
        text = f"# Page {number}\n\nIt is word{number}. See [next](p{number + 1}.md).\n"
        (notes / f"p{number}.md").write_text(text)
    (notes / "odd.xyz").write_bytes(b"\0")
    return notes


@pytest.fixture
def folder(tmp_path: Path, notes: Path) -> Path:
    with Store.create(tmp_path / "store") as store, store.writer() as writer:
        refresh_source(writer, notes)
    return tmp_path / "store"


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 8
    path.write_bytes(data)


def content(folder: Path) -> dict[str, object]:
    with Store.open(folder) as store:
        search = Bm25Retriever(store)
        return {
            "documents": list(store),
            "links": {title: store.graph().out_links(title) for title in store.titles()},
            "redirects": list(store.redirects()),
            "skipped": list(store.skipped()),
            "hits": [search.search(f"word{number}") for number in range(PAGES)],
        }


def test_a_sound_store_has_no_problem_and_is_left_alone(folder: Path) -> None:
    before = content(folder)
    for deep in (False, True):
        checked = check_store(folder, deep=deep)
        assert checked.is_sealed
        assert checked.problems == []
    generation = Store.open(folder).generation
    repaired = repair_store(folder)
    assert (repaired.documents, repaired.rebuilt, repaired.lost) == (PAGES, [], [])
    assert Store.open(folder).generation == generation
    assert content(folder) == before


@pytest.mark.parametrize("part", ["meta.json", "*.idx", "*.term", "*.fast", ".managed.json"])
def test_a_damaged_index_is_made_anew(folder: Path, part: str) -> None:
    before = content(folder)
    (path,) = (folder / "index").glob(part)
    flip(path, path.stat().st_size // 2)
    problems = check_store(folder).problems
    assert problems
    assert all(problem.can_be_rebuilt for problem in problems)
    repaired = repair_store(folder)
    assert (repaired.documents, repaired.lost, repaired.damaged) == (PAGES, [], None)
    assert content(folder) == before
    assert not check_store(folder, deep=True).problems


def test_a_damaged_graph_is_told_and_made_anew(folder: Path) -> None:
    before = content(folder)
    (path,) = folder.glob("graph-*/out_ends.npy")
    flip(path, -1)
    assert [problem.part for problem in check_store(folder).problems] == [path.parent.name]
    assert repair_store(folder).rebuilt == ["text index", "link graph"]
    assert content(folder) == before


def test_what_is_derived_from_documents_is_derived_again(folder: Path) -> None:
    before = content(folder)
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        connection.execute("UPDATE passages SET terms = zeroblob(8), start = 3 WHERE id = 5")
        connection.execute("UPDATE documents SET folded = 'x' WHERE id = 7")
        connection.execute("UPDATE counts SET value = 1 WHERE name = 'body_terms'")
        connection.commit()
    with pytest.raises(LacunaError, match="is damaged"):
        Store.open(folder)
    assert len(check_store(folder).problems) == 1
    assert len(check_store(folder, deep=True).problems) == 4
    repaired = repair_store(folder)
    assert (repaired.documents, repaired.lost) == (PAGES, [])
    assert repaired.damaged is not None
    assert repaired.damaged.is_file()
    assert content(folder) == before


def test_a_lost_document_is_named_and_read_again_from_its_source(folder: Path, notes: Path) -> None:
    before = content(folder)
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        connection.execute("UPDATE documents SET body = zeroblob(50) WHERE title = 'Page 3'")
        connection.commit()
    repaired = repair_store(folder)
    assert repaired.documents == PAGES - 1
    (lost,) = repaired.lost
    assert "'Page 3'" in lost
    assert repaired.read_again == [str(notes.resolve())]
    with Store.open(folder) as store:
        assert "Page 3" not in store
        with store.writer() as writer:
            refresh_source(writer, notes)
    after = content(folder)
    assert {**after, "documents": None, "hits": None} == {
        **before,
        "documents": None,
        "hits": None,
        "links": after["links"],
    }
    assert sorted(map(str, after["documents"])) == sorted(map(str, before["documents"]))  # type: ignore[call-overload]
    assert after["links"] == before["links"]


@pytest.mark.parametrize("first", range(2, 9))  # without the schema nothing can be read
def test_pages_of_the_file_that_are_overwritten_cost_what_stood_in_them(
    folder: Path, first: int
) -> None:
    path = folder / seal.DATABASE
    data = bytearray(path.read_bytes())
    size = 4096
    for page in range(first, len(data) // size, 9):
        data[page * size : (page + 1) * size] = bytes(size)
    path.write_bytes(data)
    repaired = repair_store(folder)
    assert repaired.documents < PAGES or repaired.damaged is not None
    assert not check_store(folder, deep=True).problems
    with Store.open(folder) as store:
        assert len(list(store)) == repaired.documents


def test_where_nothing_can_be_saved_that_is_said(folder: Path) -> None:
    (folder / seal.DATABASE).write_bytes(b"\0" * 9000)
    with pytest.raises(LacunaError, match=r"Nothing can be saved.*backup"):
        repair_store(folder)


def test_a_store_without_checksums_is_checked_all_the_same(folder: Path) -> None:
    (folder / "checksums.json").unlink()
    assert not check_store(folder).is_sealed
    shutil.rmtree(folder / "index")
    assert [problem.part for problem in check_store(folder).problems] == ["index"]
    repair_store(folder)
    assert not check_store(folder, deep=True).problems
