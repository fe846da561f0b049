"""The folder of uploads: gone with its server, and with the next one after a kill."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lacuna.serve.uploads import PREFIX, UploadFolder

HOLD = """
from lacuna.serve.uploads import UploadFolder
folder = UploadFolder()
(folder.path / "upload").mkdir()
print(folder.path.parent, flush=True)
input()
folder.close()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield tmp_path
    tempfile.tempdir = None


def other_server() -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_it_goes_with_its_server(temporary: Path) -> None:
    folder = UploadFolder()
    (folder.path / "upload").mkdir()
    assert list(temporary.glob(f"{PREFIX}*/open/upload"))
    folder.close()
    assert not list(temporary.iterdir())


def test_a_server_that_does_not_start_leaves_none(lacuna: Any, temporary: Path) -> None:
    assert lacuna("serve", "--port", "0", "--corpus", temporary / "nowhere").code == 2
    gc.collect()
    assert not list(temporary.glob(f"{PREFIX}*"))


def test_what_a_killed_server_left_is_removed_and_no_more(temporary: Path) -> None:
    killed, left = other_server()
    running, kept = other_server()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert (left / "open" / "upload").is_dir()
    (temporary / f"{PREFIX}file").write_text("no folder")
    (temporary / f"{PREFIX}link").symlink_to(kept)
    (temporary / "other").mkdir()
    folder = UploadFolder()
    try:
        assert not left.exists()
        assert (kept / "open" / "upload").is_dir()
        assert (temporary / "other").is_dir()
    finally:
        folder.close()
        running.communicate("\n", timeout=20)
    assert not kept.exists()


def test_many_that_start_together() -> None:
    servers = [other_server() for _ in range(6)]
    try:
        assert len({folder for _, folder in servers}) == 6
        assert all((folder / "open" / "upload").is_dir() for _, folder in servers)
    finally:
        for process, _ in servers:
            process.communicate("\n", timeout=20)
