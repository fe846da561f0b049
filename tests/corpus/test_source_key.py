from __future__ import annotations

import os
from pathlib import Path

from lacuna.corpus.formats import open_source
from lacuna.corpus.source_key import page_count, source_key
from lacuna.types import Document


def test_a_key_changes_with_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    before = source_key(tmp_path)
    assert source_key(tmp_path) == before
    (tmp_path / "b.md").write_text("two")
    more = source_key(tmp_path)
    os.utime(tmp_path / "a.md", ns=(1, 1))
    assert len({before, more, source_key(tmp_path)}) == 3
    assert source_key(tmp_path / "a.md") != source_key(tmp_path / "b.md")


def test_a_link_to_the_folder_itself_does_not_go_round_for_ever(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert page_count(tmp_path) == 1
    assert page_count(tmp_path / "a.md") is None
    assert source_key(tmp_path)


def test_the_format_and_odd_names_belong_to_the_key(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/x\xff.md")).write_text("one")
    assert source_key(tmp_path) != source_key(tmp_path, "html")


def test_what_a_link_leads_to_belongs_to_the_key(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "r.md").write_text("one")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(real)
    before = source_key(folder)
    (real / "r.md").write_text("changed")
    assert source_key(folder) != before


def test_a_link_that_cannot_be_looked_at_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    (tmp_path / "far.md").symlink_to("x" * 300)
    assert page_count(tmp_path) == 1
    titles = [item.title for item in open_source(tmp_path) if isinstance(item, Document)]
    assert titles == ["a"]
