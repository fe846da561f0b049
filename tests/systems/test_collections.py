"""Collections are found by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.evaluation.asking import Collections


def test_a_place_is_a_collection_or_holds_some(tmp_path: Path) -> None:
    (tmp_path / "all" / "notes").mkdir(parents=True)
    (tmp_path / "all" / "v1.2.tar.xz").touch()
    (tmp_path / "manual.zip").touch()
    collections = Collections([tmp_path / "all", tmp_path / "manual.zip"])
    assert collections.find("notes") == tmp_path / "all" / "notes"
    assert collections.find("v1.2") == tmp_path / "all" / "v1.2.tar.xz"
    assert collections.find("manual") == tmp_path / "manual.zip"
    assert collections.find("v1") is None
    assert collections.missing.startswith("v1 in ")
    assert Collections(tmp_path / "all" / "notes").find("notes") == tmp_path / "all" / "notes"


def test_a_place_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="There is no file or folder"):
        Collections(tmp_path / "gone")
