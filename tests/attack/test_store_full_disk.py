"""The disk is full at any moment: what was committed stays, and with room all goes on."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import disk_usage

import pytest

from lacuna.corpus.check import check_store
from lacuna.corpus.database import ROOM_TO_READ
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever

Rounds = Callable[[], Iterator[random.Random]]
PAGES = 150


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    if os.name == "nt" or os.geteuid():
        pytest.skip("mounting a small disk needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk may not be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_up(disk: Path, leave: int) -> Path:
    """Take all room but so many bytes."""
    ballast = disk / "ballast"
    free = os.statvfs(disk)
    size = max(free.f_bavail * free.f_frsize - leave, 0)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(size, 1))
    return ballast


def write_notes(notes: Path, version: int, rng: random.Random) -> None:
    notes.mkdir(exist_ok=True)
    for number in range(PAGES):
        noise = " ".join(f"w{rng.randrange(10**6)}" for _ in range(60))
        text = f"# Page {number}\n\nIt is word{number}x{version}. {noise}\n"
        (notes / f"p{number}.md").write_text(text)


def read(folder: Path, notes: Path) -> None:
    with Store.create(folder) as store, store.writer() as writer:
        refresh_source(writer, notes)


def look_around(folder: Path) -> None:
    with Store.open(folder) as store:
        assert len(list(store)) == PAGES, "each is as it was, or as it is now"
        store.graph()
        Bm25Retriever(store).search("word1x0")


def told_on_looking_around(folder: Path) -> str:
    try:
        look_around(folder)
    except LacunaError as error:
        return str(error)
    return ""


def test_no_room_at_all_is_told(disk: Path, tmp_path: Path) -> None:
    notes, folder = tmp_path / "notes", disk / "store"
    write_notes(notes, 0, random.Random(0))
    read(folder, notes)
    ballast = fill_up(disk, 0)
    with pytest.raises(LacunaError, match="The disk is full"):
        look_around(folder)
    ballast.unlink()
    look_around(folder)


def test_no_room_left_while_a_folder_is_indexed(
    tmp_path: Path, disk: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count, rng in enumerate(rounds()):
        monkeypatch.setattr("lacuna.corpus.writer.BATCH_ITEMS", rng.choice((5, 40, 5000)))
        notes, folder = tmp_path / "notes", disk / f"store{count}"
        write_notes(notes, 0, rng)
        read(folder, notes)
        write_notes(notes, 1, rng)
        ballast = fill_up(disk, rng.randrange(1_500_000))
        try:
            read(folder, notes)
        except LacunaError as error:
            print(error)
        told = told_on_looking_around(folder)
        assert not told or ("make some" in told and disk_usage(disk).free < ROOM_TO_READ)
        ballast.unlink()
        look_around(folder)
        read(folder, notes)
        checked = check_store(folder, deep=True)
        assert checked.is_sealed
        assert not checked.problems
        with Store.open(folder) as store:
            search = Bm25Retriever(store)
            for number in rng.sample(range(PAGES), 10):
                assert search.search(f"word{number}x1")[0].title == f"Page {number}"
                assert not search.search(f"word{number}x0")
        subprocess.run(["rm", "-r", str(folder)], check=True)
