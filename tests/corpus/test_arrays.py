import os
from pathlib import Path

import numpy as np
import pytest

from lacuna.corpus.arrays import ABANDONED, Arrays, cached_arrays


def build(_: Path) -> Arrays:
    return {"numbers": np.arange(3)}


def never(_: Path) -> Arrays:
    raise AssertionError("the arrays are there already")


def test_arrays_are_built_once_for_each_generation(tmp_path: Path) -> None:
    cached_arrays(tmp_path, "graph", 1, build)
    again = cached_arrays(tmp_path, "graph", 1, never)
    assert isinstance(again["numbers"], np.memmap)
    assert again["numbers"].tolist() == [0, 1, 2]
    cached_arrays(tmp_path, "graph", 2, build)
    assert [path.name for path in tmp_path.iterdir()] == ["graph-2"]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        cached_arrays(tmp_path, "graph", 1, never)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_cleared_in_time(tmp_path: Path) -> None:
    fresh, old = tmp_path / "graph.part-new", tmp_path / "graph.part-old"
    for part in (fresh, old):
        part.mkdir()
    long_ago = old.stat().st_mtime - ABANDONED - 1
    os.utime(old, (long_ago, long_ago))
    cached_arrays(tmp_path, "graph", 1, build)
    assert fresh.exists()
    assert not old.exists()
