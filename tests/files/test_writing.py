from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.files.writing import check_writable, replace_text, where_written


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.json"
    with replace_text(path) as out:
        out.write("[1]")
        assert not path.exists()
    assert path.read_text() == "[1]"
    assert [entry.name for entry in path.parent.iterdir()] == ["out.json"]


def test_gz_is_packed_and_the_same_every_time(tmp_path: Path) -> None:
    paths = [tmp_path / "a.json.gz", tmp_path / "b.json.gz"]
    for path in paths:
        with replace_text(path) as out:
            out.write("Straße")
        assert gzip.decompress(path.read_bytes()).decode() == "Straße"
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="in the middle"), replace_text(path) as out:
        out.write("new")
        raise RuntimeError("in the middle")
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_half_a_surrogate_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    with pytest.raises(LacunaError, match="surrogate"), replace_text(path) as out:
        out.write("\ud800")
        out.flush()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="is a folder"), replace_text(tmp_path):
        pass


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(LacunaError, match="cannot be written"),
        replace_text(tmp_path / "file" / "out.json"),
    ):
        pass


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    with replace_text(link) as out:
        out.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    with replace_text(pipe) as out:
        out.write("new")
    reader.join()
    assert pipe.is_fifo()
    assert got == ["new"]


def test_being_told_to_stop_leaves_nothing_behind(tmp_path: Path) -> None:
    """SIGTERM in the middle of a conversion: no output, and no temporary file."""
    source = tmp_path / "pipe.json"
    os.mkfifo(source)
    out = tmp_path / "out" / "quac.json"
    command = ["-m", "lacuna", "data", "convert", "squad", source, "--to", "quac", "-o", out]
    process = subprocess.Popen([sys.executable, *map(str, command)])
    with source.open("w") as feed:
        feed.write('{"data": [' + '{"title": "T", "paragraphs": []}, ' * 100_000)
        feed.flush()
        while not list(tmp_path.glob("out/.*.part")):
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
    # Only now, with the pipe closed: a read that began just before the signal would wait for more.
    assert process.wait(timeout=60) == 143
    assert list(out.parent.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk: both fail in the write."""
    path = tmp_path / "out.json"
    path.write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(LacunaError, match="was not written"), replace_text(path) as out:
            out.write("x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_kill_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    code = (
        "import time; from pathlib import Path; from lacuna.files.writing import replace_text\n"
        f"with replace_text(Path({str(path)!r})) as out:\n"
        "    out.write('new' * 100_000); out.flush()\n"
        "    print('writing', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert path.read_text() == "old"


def test_what_cannot_be_written_is_known_beforehand(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.json"
    check_writable(path)
    assert list(path.parent.iterdir()) == [], "nothing is left behind"
    path.write_text("old")
    check_writable(path)
    assert path.read_text() == "old"
    check_writable(Path(os.devnull))
    for wrong in (tmp_path, path / "below"):
        with pytest.raises(LacunaError):
            check_writable(wrong)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "x/" * 2100, "\ud800", "loop", "loop/x"])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(LacunaError, match="cannot be written"):
        check_writable(tmp_path / name)
    if "loop" in name:
        with pytest.raises(LacunaError, match="cannot be written"):
            where_written(tmp_path / name)
