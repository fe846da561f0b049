"""Files of archives, those that are made to harm too."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from lacuna.corpus.formats.entries import Entry, Wanted, files_of
from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError


def entries_of(path: Path, wanted: Wanted) -> list[Entry | Skipped]:
    files = files_of(path, wanted)
    return [file if isinstance(file, Skipped) else file.load() for file in files]


def is_page(name: str) -> bool:
    return name.endswith(".md")


@pytest.mark.parametrize("packed", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_would_be_unpacked_without_bound_is_left_out(tmp_path: Path, packed: int) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Bomb.md", b"\0" * 1_000_000, compress_type=packed)
        archive.writestr("Tern.md", b"A bird.", compress_type=zipfile.ZIP_DEFLATED)
    bomb, tern = entries_of(path, is_page)
    assert isinstance(bomb, Skipped)
    assert "deflate" in bomb.reason
    assert tern == Entry("Tern.md", b"A bird.")


def test_a_zip_whose_names_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("éé.md", "A bird.")
    path.write_bytes(path.read_bytes().replace("éé".encode(), b"\xff\xff\xff\xff"))
    with pytest.raises(LacunaError, match="damaged"):
        entries_of(path, is_page)


def test_a_member_without_a_name_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    nameless = zipfile.ZipInfo("x")
    nameless.filename = ""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(nameless, "A bird.")
        archive.writestr("Tern.md", "A bird.")
    assert entries_of(path, is_page) == [
        Skipped("a file without a name", "it has no name"),
        Entry("Tern.md", b"A bird."),
    ]


def test_what_lies_too_deep_to_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "Tern.md").write_text("A bird.")
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):  # to more characters than a path may have
        os.mkdir("d" * 200, dir_fd=folder)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("Gull.md", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    try:
        deep, tern = sorted(entries_of(tmp_path, bool), key=str, reverse=True)
    finally:
        shutil.rmtree(tmp_path / ("d" * 200))  # others who look into this folder would fail
    assert tern == Entry("Tern.md", b"A bird.")
    assert isinstance(deep, Skipped)
    assert "too long" in deep.reason
