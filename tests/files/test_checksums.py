from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.files.checksums import NAME, read_checksums, remove_checksums, write_checksums


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "one").write_bytes(b"one" * 1000)
    (tmp_path / "sub" / "two").write_bytes(b"two")
    write_checksums(tmp_path, ["one", "sub/two"], "state")
    return tmp_path


def test_what_is_as_it_was_written(folder: Path) -> None:
    checksums = read_checksums(folder)
    assert checksums is not None
    assert checksums.state == "state"
    assert not checksums.damaged(folder)


@pytest.mark.parametrize("name", ["one", "sub/two"])
@pytest.mark.parametrize("change", ["flip", "cut", "delete"])
def test_what_is_not(folder: Path, name: str, change: str) -> None:
    path = folder / name
    data = bytearray(path.read_bytes())
    data[1] ^= 1
    if change == "delete":
        path.unlink()
    else:
        path.write_bytes(data if change == "flip" else data[:-1])
    checksums = read_checksums(folder)
    assert checksums is not None
    assert checksums.damaged(folder) == [name]


def test_large_files_are_read_where_that_is_wanted(folder: Path) -> None:
    (folder / "one").write_bytes(b"two" * 1000)
    checksums = read_checksums(folder)
    assert checksums is not None
    assert checksums.damaged(folder, most=100) == []
    assert checksums.damaged(folder, most=3003) == ["one"]


@given(st.data())
def test_damaged_checksums_are_none(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("sums")
    (folder / "a").write_bytes(b"a")
    write_checksums(folder, ["a"])
    good = read_checksums(folder)
    written = bytearray((folder / NAME).read_bytes())
    written[data.draw(st.integers(0, len(written) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    (folder / NAME).write_bytes(written)
    assert read_checksums(folder) in (None, good)  # a blank may have become a line feed


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sum": 1}', json.dumps({"files": []})])
def test_what_are_no_checksums(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    assert read_checksums(tmp_path) is None


def test_they_can_be_removed_twice(folder: Path) -> None:
    remove_checksums(folder)
    remove_checksums(folder)
    assert read_checksums(folder) is None
