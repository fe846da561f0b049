"""Corpora in the cache folder: made once, made again when the files change, never half made."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from lacuna.corpus import open as corpus_open
from lacuna.corpus.formats import open_source
from lacuna.corpus.open import cached_store, file_count, source_key
from lacuna.errors import LacunaError
from lacuna.files import cache as files_cache
from lacuna.files.cache import ABANDONED, BUILDING
from lacuna.types import Document


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LACUNA_CACHE", str(folder))
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Marrow.md").write_text("# Marrow\n\nThe ferry *Marrow* sails to [[Stony Tarn]].\n")
    (folder / "Stony Tarn.md").write_text("# Stony Tarn\n\nThe smallest island.\n")
    return folder


def titles(notes: Path) -> list[str]:
    with cached_store(notes, source_key(notes)) as store:
        return sorted(store.titles())


def states(cache: Path) -> list[Path]:
    return sorted(cache.glob("corpora/*/*"))


def test_it_is_read_once(cache: Path, notes: Path) -> None:
    told: list[tuple[int, int | None]] = []
    for _ in range(2):
        cached_store(
            notes, source_key(notes), progress=lambda done, total: told.append((done, total))
        ).close()
    assert told == [(2, 2)]
    assert len(states(cache)) == 1


def test_what_changed_appeared_or_vanished_is_seen(cache: Path, notes: Path) -> None:
    assert titles(notes) == ["Marrow", "Stony Tarn"]
    (notes / "Port Ellery.md").write_text("# Port Ellery\n\nA harbour.\n")
    assert titles(notes) == ["Marrow", "Port Ellery", "Stony Tarn"]
    (notes / "Marrow.md").unlink()
    assert titles(notes) == ["Port Ellery", "Stony Tarn"]
    (notes / "Port Ellery.md").write_text("# The Port\n\nA harbour, and a school.\n")
    assert titles(notes) == ["Stony Tarn", "The Port"]


def test_only_the_last_state_but_one_is_kept(cache: Path, notes: Path) -> None:
    with cached_store(notes, "1"):
        first = states(cache)[0]
        cached_store(notes, "2").close()
        assert first.exists(), "someone may still read it"
    os.utime(first, (1, 1))
    cached_store(notes, "3").close()
    assert len(states(cache)) == 2
    assert not first.exists()


def test_folders_of_the_same_name_have_corpora_of_their_own(cache: Path, tmp_path: Path) -> None:
    for name in "ab":
        folder = tmp_path / name / "notes"
        folder.mkdir(parents=True)
        (folder / f"{name}.md").write_text(f"# Note {name}\n\nText.\n")
    assert titles(tmp_path / "a" / "notes") == ["Note a"]
    assert titles(tmp_path / "b" / "notes") == ["Note b"]


def test_another_version_reads_anew(
    cache: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached_store(notes, "1").close()
    monkeypatch.setattr(corpus_open, "__version__", "999")
    cached_store(notes, "1").close()
    assert len(states(cache)) == 2


def test_another_process_may_be_quicker(
    cache: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_move = files_cache.move_into_place

    def late(beside: Path, cached: Path, whole: Callable[[Path], bool]) -> None:
        monkeypatch.setattr(files_cache, "move_into_place", whole_move)
        cached_store(notes, "1").close()  # the other process
        whole_move(beside, cached, whole)

    monkeypatch.setattr(files_cache, "move_into_place", late)
    with cached_store(notes, "1") as store:
        assert len(store) == 2
    assert len(states(cache)) == 1, "what came too late is gone"


def test_a_killed_process_leaves_nothing_that_counts(cache: Path, notes: Path) -> None:
    program = """
        import os, sys
        from pathlib import Path
        from lacuna.corpus.open import cached_store
        cached_store(Path(sys.argv[1]), "1", progress=lambda done, total: os._exit(9))
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(notes)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ran.returncode == 9
    (left,) = states(cache)
    assert left.name.startswith(BUILDING)
    with cached_store(notes, "1") as store:
        assert len(store) == 2
    assert left.exists(), "its process may still be at work"
    old = left.stat().st_mtime - ABANDONED - 1
    os.utime(left, (old, old))
    cached_store(notes, "2").close()
    assert not left.exists()


def test_a_corpus_whose_files_were_lost_is_made_again(cache: Path, notes: Path) -> None:
    cached_store(notes, "1").close()
    (states(cache)[0] / "documents.sqlite").unlink()
    with cached_store(notes, "1") as store:
        assert len(store) == 2


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "file"))
    with pytest.raises(LacunaError, match="LACUNA_CACHE"):
        cached_store(notes, "1")


def test_a_source_that_cannot_be_read_leaves_no_trace(cache: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(LacunaError, match="no pages"):
        cached_store(empty, "1")
    assert not cache.exists()


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
    assert file_count(tmp_path) == 1
    assert file_count(tmp_path / "a.md") is None
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
    assert file_count(tmp_path) == 1
    titles = [item.title for item in open_source(tmp_path) if isinstance(item, Document)]
    assert titles == ["a"]
