"""Whatever fails beneath a command, it says so in a paragraph and exits with 2."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NUMPY = ImportError("IMPORTANT: PLEASE READ THIS. This will be caused by a bad install.")
NUMPY.__cause__ = ImportError("libx.so: cannot read file data: Input/output error")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (sqlite3.OperationalError("locking protocol"), "could not be read or written: locking"),
        (OSError(28, "No space left on device", "/x"), "/x: No space left on device."),
        (OSError(37, "No locks available"), "Error: No locks available."),
        (MemoryError(), "gave no more memory"),
        (SystemError("error return without exception set"), "gave no more memory"),
        (RuntimeError("can't start new thread"), "could not be loaded or started: can't start"),
        (NUMPY, "could not be loaded or started: libx.so: cannot read file data"),
    ],
)
def test_an_error_of_the_machine(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def fails(_: object) -> None:
        raise error

    monkeypatch.setattr("lacuna.cli.app.run", fails)
    ran = lacuna("info")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert "install" not in ran.err


@pytest.mark.parametrize("error", [ValueError("a bug"), ModuleNotFoundError("No module named 'x'")])
def test_a_bug_keeps_its_traceback(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(_: object) -> None:
        raise error

    monkeypatch.setattr("lacuna.cli.app.run", fails)
    with pytest.raises(type(error)):
        lacuna("info")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("full", ["stdout", "stderr"])
def test_nobody_can_be_told(full: str) -> None:
    arguments = ["--help"] if full == "stdout" else ["ask", "Who?", "--corpus", "none"]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Path("/dev/full").open("wb") as nowhere:
        streams[full] = nowhere
        ran = subprocess.run(
            [sys.executable, "-m", "lacuna", *arguments],
            **streams,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": ""},
            check=False,
        )
    assert ran.returncode == 2
    if full == "stdout":
        assert ran.stderr.startswith("Error: No space left on device")
        assert "Exception ignored" not in ran.stderr
    else:
        assert ran.stdout == ""
