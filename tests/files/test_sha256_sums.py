"""Sums of published files, as sha256sum reads them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.files.checksums import SUMS, differences, write_sums


def test_what_changed_is_found(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "ü.txt").write_text("x")
    (tmp_path / "c").write_text("y")
    write_sums(tmp_path)
    write_sums(tmp_path)
    assert list(differences(tmp_path)) == []
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--quiet", "--check", SUMS], cwd=tmp_path, check=True)
    (tmp_path / "c").write_text("z")
    (tmp_path / "d").write_text("")
    (tmp_path / "a b" / "ü.txt").unlink()
    assert list(differences(tmp_path)) == [
        "a b/ü.txt is missing",
        "d is in no list of sums",
        "c is not as it was written",
    ]
    (tmp_path / SUMS).write_bytes(b"\xff")
    with pytest.raises(LacunaError, match="no SHA256SUMS"):
        list(differences(tmp_path))
