from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.files.cache import delete_gone, delete_unheld, hold, make_holdable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "content").write_text("x")
    make_holdable(folder)
    return folder


def test_what_is_held_by_some_goes_with_the_last(folder: Path) -> None:
    holders = [hold(folder), hold(folder)]
    for holder in holders:
        assert holder is not None
        assert not delete_unheld(folder)
        assert (folder / "content").exists()
        holder.close()
    assert delete_unheld(folder)
    assert not list(folder.parent.iterdir())
    assert hold(folder) is None


def test_what_was_replaced_is_not_held_by_mistake(folder: Path) -> None:
    with (folder / "in-use").open("rb"):
        assert delete_unheld(folder), "an open file alone holds nothing"
    assert delete_unheld(folder), "it is gone already"


def test_what_a_killed_process_left_half_deleted(folder: Path) -> None:
    folder.rename(folder.with_name("folder.gone-1"))
    delete_gone(folder.parent)
    assert not list(folder.parent.iterdir())
