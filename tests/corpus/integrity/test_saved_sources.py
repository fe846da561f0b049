"""Where the documents were read is known after a repair, or its loss is told."""

from __future__ import annotations

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

TITLES = ["Page 0", "Page 1", "Page 2"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    notes = tmp_path.resolve() / "notes of the harbour"
    notes.mkdir()
    for number, title in enumerate(TITLES):
        (notes / f"p{number}.md").write_text(f"# {title}\n\nIt is word{number}.\n")
    return notes


@pytest.fixture
def folder(tmp_path: Path, notes: Path) -> Path:
    with Store.create(tmp_path / "store") as store, store.writer() as writer:
        refresh_source(writer, notes, "markdown")
    return tmp_path / "store"


def hit(folder: Path, notes: Path, *copies: int) -> None:
    """Turn a letter over in some of the copies of where the source lies, each time another."""
    path = folder / seal.DATABASE
    name = str(notes).encode()
    first, second, third = path.read_bytes().split(name)  # one in the table, one in its index
    one, two = (name[:-1] + b"xy"[n : n + 1] if n in copies else name for n in (0, 1))
    path.write_bytes(first + one + second + two + third)


def forget_sums(folder: Path) -> None:
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        connection.execute("DELETE FROM counts WHERE name LIKE 'source %'")
        connection.commit()


def roots(folder: Path) -> list[str]:
    with Store.open(folder) as store:
        places = [document.origin.root for document in store if document.origin]
        return [*places, *(source.root for source in store.sources())]


@pytest.mark.parametrize("copy", [0, 1])
@pytest.mark.parametrize("with_sums", [True, False])
def test_the_copy_that_is_right_is_taken(
    folder: Path, notes: Path, copy: int, with_sums: bool
) -> None:
    if not with_sums:  # as older versions wrote it
        forget_sums(folder)
    hit(folder, notes, copy)
    repaired = repair_store(folder)
    assert (repaired.documents, repaired.lost) == (len(TITLES), [])
    assert repaired.read_again == [str(notes)]
    assert roots(folder) == [str(notes)] * 4
    with Store.open(folder) as store:
        formats = store.database.execute("SELECT format FROM sources").fetchall()
    assert formats == [("markdown",)]


def test_a_lost_source_is_told_and_its_documents_stay(folder: Path, notes: Path) -> None:
    hit(folder, notes, 0, 1)
    repaired = repair_store(folder)
    (lost,) = repaired.lost
    assert "where source 1 lies" in lost
    assert repaired.read_again == []
    assert roots(folder) == [""] * 3
    other = notes.parent / "other"
    other.mkdir()
    (other / "p0.md").write_text("# Another\n\nIt is elsewhere.\n")
    with Store.open(folder) as store:
        with store.writer() as writer:
            refresh_source(writer, other)
        assert sorted(store.titles()) == ["Another", *TITLES], "they are not the other's pages"
    assert set(roots(folder)) == {"", str(other)}


def test_without_a_checksum_a_place_that_is_nowhere_is_not_taken(folder: Path, notes: Path) -> None:
    forget_sums(folder)
    hit(folder, notes, 0)
    notes.rename(notes.parent / "moved")
    assert "where source 1 lies" in repair_store(folder).lost[0]
    assert roots(folder) == [""] * 3


def test_a_format_that_is_none_is_told(folder: Path) -> None:
    with closing(sqlite3.connect(folder / seal.DATABASE)) as connection:
        connection.execute("UPDATE sources SET format = 'marldown'")
        connection.commit()
    (lost,) = repair_store(folder).lost
    assert "the format in which" in lost


def test_a_wrong_place_is_told_on_reading(folder: Path, notes: Path) -> None:
    hit(folder, notes, 0)
    (folder / "checksums.json").unlink()
    with Store.open(folder) as store, pytest.raises(LacunaError, match="lacuna corpus repair"):
        store.document("Page 1")
    assert check_store(folder, deep=True).problems
