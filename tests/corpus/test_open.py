"""Corpora in the cache folder: read once, kept in step with their files, shared by processes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.open import file_count, open_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
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


def titles(*places: Path) -> list[str]:
    with open_store(list(places)) as store:
        return sorted(store.titles())


def test_it_is_read_once(cache: Path, notes: Path) -> None:
    told: list[tuple[int, int | None]] = []
    for _ in range(2):
        open_store(notes, progress=lambda done, total: told.append((done, total))).close()
    assert told
    assert told[-1][1] == 2
    assert told.count(told[-1]) <= 2, "the second time nothing is read"
    assert len(list(cache.glob("corpora/*"))) == 1


def test_no_more_files_are_read_than_there_are(cache: Path, notes: Path, tmp_path: Path) -> None:
    (notes / "Marrow.md").write_text("---\naliases: [Ferry, Boat]\n---\n# Marrow\n\nIt sails.\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "Heron.md").write_text("# Heron\n\nA bird.\n")
    told: list[tuple[int, int | None]] = []
    open_store([notes, other], progress=lambda done, total: told.append((done, total))).close()
    assert all(done <= (total or 0) for done, total in told), "an alias is no file"
    assert told[-1] == (3, 3)


def test_what_changed_appeared_or_vanished_is_seen(cache: Path, notes: Path) -> None:
    assert titles(notes) == ["Marrow", "Stony Tarn"]
    (notes / "Port Ellery.md").write_text("# Port Ellery\n\nA harbour.\n")
    assert titles(notes) == ["Marrow", "Port Ellery", "Stony Tarn"]
    (notes / "Marrow.md").unlink()
    assert titles(notes) == ["Port Ellery", "Stony Tarn"]
    (notes / "Port Ellery.md").write_text("# The Port\n\nA harbour, and a school.\n")
    assert titles(notes) == ["Stony Tarn", "The Port"]


def test_a_reader_sees_what_changed_meanwhile(cache: Path, notes: Path) -> None:
    with open_store(notes) as held:
        before = held.generation
        (notes / "Port Ellery.md").write_text("# Port Ellery\n\nA harbour.\n")
        open_store(notes).close()
        assert held.generation > before
        assert held.document("Port Ellery").text == "A harbour."


def test_a_file_that_was_put_back_is_read_again(cache: Path, notes: Path) -> None:
    path = notes / "Marrow.md"
    status, old = path.stat(), path.read_text()
    titles(notes)
    path.write_text(old.replace("# Marrow", "# Barrow"))
    assert titles(notes) == ["Barrow", "Stony Tarn"]
    path.write_text(old)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert titles(notes) == ["Marrow", "Stony Tarn"]


def test_folders_of_the_same_name_have_corpora_of_their_own(cache: Path, tmp_path: Path) -> None:
    for name in "ab":
        folder = tmp_path / name / "notes"
        folder.mkdir(parents=True)
        (folder / f"{name}.md").write_text(f"# Note {name}\n\nText.\n")
    assert titles(tmp_path / "a" / "notes") == ["Note a"]
    assert titles(tmp_path / "b" / "notes") == ["Note b"]


def test_several_places_are_one_corpus(cache: Path, notes: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "Marrow.txt").write_text("Another Marrow.")
    (more / "read me.txt").write_text("See there.")
    assert titles(notes, more) == ["Marrow", "Marrow (more)", "Stony Tarn", "read me"]


def test_a_corpus_and_a_folder_are_one_corpus(cache: Path, notes: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    with Store.create(made) as indexed, indexed.writer() as writer:
        writer.add([*open_source(notes), Document("C#", "A language.")])
    more = tmp_path / "more"
    more.mkdir()
    (more / "Marrow.txt").write_text("Another Marrow.")
    with open_store([more, made]) as store:
        assert sorted(store.titles()) == ["C#", "Marrow", "Marrow (made)", "Stony Tarn"]
        assert store.graph().out_links("Marrow (made)") == ["Stony Tarn"]
        origin = store.document("Stony Tarn").origin
        assert origin is not None
        assert origin.root != str(made), "its file is the one that it was first read from"


def test_a_killed_process_leaves_nothing_that_harms(cache: Path, notes: Path) -> None:
    program = """
        import os, sys
        from pathlib import Path
        from lacuna.corpus.open import open_store
        open_store(Path(sys.argv[1]), progress=lambda done, total: os._exit(9))
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(notes)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ran.returncode == 9
    assert titles(notes) == ["Marrow", "Stony Tarn"]


def test_a_corpus_whose_files_were_lost_is_made_again(cache: Path, notes: Path) -> None:
    titles(notes)
    (lost,) = cache.glob("corpora/*/documents.sqlite")
    lost.unlink()
    for beside in lost.parent.glob("documents.sqlite-*"):
        beside.unlink()
    assert titles(notes) == ["Marrow", "Stony Tarn"]


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "file"))
    with pytest.raises(LacunaError, match="LACUNA_CACHE"):
        open_store(notes)


def test_a_source_that_cannot_be_read_leaves_no_trace(cache: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(LacunaError, match="no pages"):
        open_store(empty)
    assert not cache.exists()


def test_a_link_to_the_folder_itself_does_not_go_round_for_ever(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert file_count(tmp_path) == 1
    assert file_count(tmp_path / "a.md") is None


def test_what_a_link_leads_to_is_watched(cache: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "r.md").write_text("# One\n\nText.")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(real)
    assert titles(folder) == ["One"]
    (real / "r.md").write_text("# Other\n\nText.")
    assert titles(folder) == ["Other"]


def test_a_link_that_cannot_be_looked_at_is_told(cache: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("one")
    (folder / "far.txt").symlink_to("x" * 300)
    with open_store(folder) as store:
        assert list(store.titles()) == ["a"]
        assert [skipped.where for skipped in store.skipped()] == ["far.txt"]


def test_odd_names_of_files(cache: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/x\xff.txt")).write_text("one")
    assert len(titles(folder)) == 1
