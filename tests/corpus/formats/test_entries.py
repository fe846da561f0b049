"""Files of archives, those that are made to harm too."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.source_item import Skipped
from lacuna.errors import LacunaError


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
        list(entries_of(path, is_page))
