from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lacuna.corpus.graph import map_array
from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge import arrays as array_folder
from lacuna.retrieve.knowledge.arrays import META, open_arrays, save_arrays


class Unwritable:
    """Stands for an array that cannot be saved: numpy refuses it without pickling."""


def build_of(folder: Path) -> list[int]:
    return [int(number) for number in open_arrays(folder, "things")[0]["numbers"]]


def test_what_is_saved_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    save_arrays(folder, "things", {"numbers": np.arange(3)}, {"note": "é"})
    arrays, meta = open_arrays(folder, "things")
    assert arrays["numbers"].tolist() == [0, 1, 2]
    assert meta == {"note": "é"}


def test_empty_arrays_are_fine(tmp_path: Path) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.empty(0, np.int32)}, {})
    assert build_of(tmp_path) == []


def test_arrays_cannot_be_changed_by_mistake(tmp_path: Path) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(3)}, {})
    with pytest.raises(ValueError, match="read-only"):
        open_arrays(tmp_path, "things")[0]["numbers"][0] = 7


def test_a_new_build_replaces_the_old_one_and_leaves_nothing_behind(tmp_path: Path) -> None:
    for size in (2, 3):
        save_arrays(tmp_path, "things", {"numbers": np.arange(size)}, {})
    assert build_of(tmp_path) == [0, 1, 2]
    assert len([entry for entry in tmp_path.iterdir() if entry.is_dir()]) == 1


def test_a_build_that_is_replaced_while_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    opened = map_array

    def replaced_first(path: Path) -> Any:
        monkeypatch.setattr(array_folder, "map_array", opened)
        save_arrays(tmp_path, "things", {"numbers": np.arange(3)}, {})
        return opened(path)

    monkeypatch.setattr(array_folder, "map_array", replaced_first)
    assert build_of(tmp_path) == [0, 1, 2]


def test_a_build_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    broken = {"a": np.arange(9), "numbers": np.array([Unwritable()], dtype=object)}
    with pytest.raises(ValueError, match="pickle"):
        save_arrays(tmp_path, "things", broken, {})
    assert build_of(tmp_path) == [0, 1]
    assert len([entry for entry in tmp_path.iterdir() if entry.is_dir()]) == 1


def test_a_full_disk_is_said_and_leaves_the_old_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(LacunaError, match="No space left on device"):
        save_arrays(tmp_path, "things", {"numbers": np.arange(3)}, {})
    assert build_of(tmp_path) == [0, 1]
    assert len([entry for entry in tmp_path.iterdir() if entry.is_dir()]) == 1


def test_what_a_killed_build_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "arrays-orphan").mkdir()
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    assert not (tmp_path / "arrays-orphan").exists()


def test_a_folder_with_other_files_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(LacunaError, match=r"thesis\.txt"):
        save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_another_kind_is_neither_opened_nor_replaced(tmp_path: Path) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    with pytest.raises(LacunaError, match="holds things, not others"):
        open_arrays(tmp_path, "others")
    with pytest.raises(LacunaError, match="holds things, not others"):
        save_arrays(tmp_path, "others", {"numbers": np.arange(3)}, {})
    assert build_of(tmp_path) == [0, 1]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LacunaError, match="is a file"):
        save_arrays(tmp_path / "file", "things", {}, {})


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="holds no things"):
        open_arrays(tmp_path / "nowhere", "things")


@pytest.mark.parametrize("damage", ["missing", "cut", "not json", "no object", "other version"])
def test_damage_is_named(tmp_path: Path, damage: str) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(1000)}, {})
    array = next(tmp_path.glob("*/numbers.npy"))
    meta = tmp_path / META
    match damage:
        case "missing":
            array.unlink()
        case "cut":
            array.write_bytes(array.read_bytes()[:500])
        case "not json":
            meta.write_text("{")
        case "no object":
            meta.write_text("[]")
        case _:
            meta.write_text(json.dumps({**json.loads(meta.read_text()), "version": 0}))
    with pytest.raises(LacunaError):
        open_arrays(tmp_path, "things")


@pytest.mark.parametrize("file", ["arrays-*/numbers.npy", META])
def test_a_bit_that_turned_over_is_told(tmp_path: Path, file: str) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(1000)}, {"note": "as it was"})
    (path,) = tmp_path.glob(file)
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    path.write_bytes(data)
    with pytest.raises(LacunaError, match=f"{path.name} is not as it was written. Build it again"):
        open_arrays(tmp_path, "things")
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    assert build_of(tmp_path) == [0, 1], "building again mends it"


def test_what_older_versions_built_is_opened_without_checksums(tmp_path: Path) -> None:
    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    (tmp_path / "checksums.json").unlink()
    assert build_of(tmp_path) == [0, 1]
    save_arrays(tmp_path, "things", {"numbers": np.arange(3)}, {})
    assert (tmp_path / "checksums.json").is_file()


def test_a_build_is_whole_without_its_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise LacunaError("No space left on device")

    save_arrays(tmp_path, "things", {"numbers": np.arange(2)}, {})
    monkeypatch.setattr(array_folder, "write_checksums", full)
    save_arrays(tmp_path, "things", {"numbers": np.arange(3)}, {})
    assert build_of(tmp_path) == [0, 1, 2]
