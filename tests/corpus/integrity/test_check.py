"""A check tells damage without running into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus import check
from lacuna.corpus import integrity as seal
from lacuna.corpus.store import Store
from lacuna.types import Document


def test_an_index_that_is_not_as_written_is_told_and_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "store"
    with Store.create(folder) as store, store.writer() as writer:
        writer.add([Document("Ferry", "All about a ferry.")])
    assert not check.check_store(folder).problems
    (name,) = (name for name in seal.index_files(folder) if name.endswith(".store"))
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 16
    (folder / name).write_bytes(data)

    def opened(place: Path) -> None:
        raise AssertionError(f"{place} was opened")

    monkeypatch.setattr(check, "SearchIndex", opened)
    assert [problem.part for problem in check.check_store(folder).problems] == [name]
