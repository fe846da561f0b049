import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from lacuna.corpus.graph import ABANDONED, Arrays, array_folders, cached_arrays


def build(_: Path) -> Arrays:
    return {"numbers": np.arange(3)}


def never(_: Path) -> Arrays:
    raise AssertionError("the arrays are there already")


def generations(folder: Path) -> list[int]:
    return sorted(array_folders(folder, "graph"))


def test_arrays_are_built_once_for_each_generation(tmp_path: Path) -> None:
    cached_arrays(tmp_path, "graph", 1, build)
    again = cached_arrays(tmp_path, "graph", 1, never)
    assert isinstance(again["numbers"], np.memmap)
    assert again["numbers"].tolist() == [0, 1, 2]
    del again
    cached_arrays(tmp_path, "graph", 2, build)
    assert [path.name for path in tmp_path.iterdir()] == ["graph-2"]


def test_what_someone_reads_is_not_deleted(tmp_path: Path) -> None:
    read = cached_arrays(tmp_path, "graph", 1, build)
    cached_arrays(tmp_path, "graph", 2, build)
    assert generations(tmp_path) == [1, 2]
    assert read["numbers"].tolist() == [0, 1, 2]
    assert cached_arrays(tmp_path, "graph", 1, never)["numbers"].tolist() == [0, 1, 2]
    del read
    cached_arrays(tmp_path, "graph", 3, build)
    assert generations(tmp_path) == [3]


def test_what_another_process_reads_is_not_deleted_until_it_is_killed(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        import numpy as np
        from lacuna.corpus.graph import cached_arrays
        read = cached_arrays(Path(sys.argv[1]), "graph", 1, lambda _: {"numbers": np.arange(3)})
        print("ready", flush=True)
        sys.stdin.read()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    cached_arrays(tmp_path, "graph", 2, build)
    assert generations(tmp_path) == [1, 2]
    process.kill()
    process.communicate()
    cached_arrays(tmp_path, "graph", 3, build)
    assert generations(tmp_path) == [3]


def test_a_reader_of_an_older_generation_deletes_no_newer_one(tmp_path: Path) -> None:
    cached_arrays(tmp_path, "graph", 5, build)
    cached_arrays(tmp_path, "graph", 4, build)
    assert generations(tmp_path) == [4, 5]


def test_the_same_number_in_another_life_of_the_store(tmp_path: Path) -> None:
    cached_arrays(tmp_path, "graph", 1, build, state="one")
    other = cached_arrays(tmp_path, "graph", 1, lambda _: {"numbers": np.ones(1)}, state="other")
    assert other["numbers"].tolist() == [1]


@pytest.mark.parametrize("hit", ["numbers.npy", "checksums.json"])
def test_damaged_arrays_are_built_again(tmp_path: Path, hit: str) -> None:
    cached_arrays(tmp_path, "graph", 1, build)
    path = tmp_path / "graph-1" / hit
    data = bytearray(path.read_bytes())
    data[-20] ^= 4
    path.write_bytes(data)
    assert cached_arrays(tmp_path, "graph", 1, build)["numbers"].tolist() == [0, 1, 2]
    assert cached_arrays(tmp_path, "graph", 1, never)["numbers"].tolist() == [0, 1, 2]


def test_arrays_without_checksums_are_built_again(tmp_path: Path) -> None:
    (tmp_path / "graph-1").mkdir()
    np.save(tmp_path / "graph-1" / "numbers.npy", np.ones(2))
    assert cached_arrays(tmp_path, "graph", 1, build)["numbers"].tolist() == [0, 1, 2]


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
    (tmp_path / "graph-0.gone-1").mkdir()
    cached_arrays(tmp_path, "graph", 1, build)
    assert fresh.exists()
    assert not old.exists()
    assert not (tmp_path / "graph-0.gone-1").exists()
