"""A document is its source and path, whatever it is called and whenever its file was written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lacuna.corpus.open import open_store
from lacuna.corpus.refresh import refresh_source, refresh_store
from lacuna.corpus.store import Store
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "corpus")


def read(store: Store, folder: Path) -> Added:
    with store.writer() as writer:
        return refresh_source(writer, folder)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_files_of_one_name_in_two_folders_are_two_documents(store: Store, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes / "2023" / "notes.txt", "The ferry was painted red.")
    write(notes / "2024" / "notes.txt", "The ferry was painted blue.")
    read(store, notes)
    assert sorted(store.titles()) == ["notes (2023)", "notes (2024)"]
    search = Bm25Retriever(store)
    assert search.search("red")[0].title == "notes (2023)"
    assert search.search("blue")[0].title == "notes (2024)"


def test_files_of_one_path_in_two_sources_are_two_documents(store: Store, tmp_path: Path) -> None:
    for year, colour in ((2023, "red"), (2024, "blue")):
        write(tmp_path / str(year) / "notes.txt", f"The ferry was painted {colour}.")
        read(store, tmp_path / str(year))
    assert len(store) == 2
    search = Bm25Retriever(store)
    assert len({search.search(colour)[0].title for colour in ("red", "blue")}) == 2


def test_a_file_that_is_restored_with_its_time_is_read_again(store: Store, tmp_path: Path) -> None:
    note = tmp_path / "notes" / "a.txt"
    write(note, "The ferry is red.")
    times = note.stat()
    read(store, note.parent)
    write(note, "The ferry is blue.")
    read(store, note.parent)
    assert store.document("a").text == "The ferry is blue."
    write(note, "The ferry is red.")
    os.utime(note, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert read(store, note.parent).changed
    assert store.document("a").text == "The ferry is red."


def test_a_dump_that_is_restored_with_its_time_is_read_again(store: Store, tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    old, new = '{"title": "A", "text": "red"}\n', '{"title": "A", "text": "bad"}\n'
    dump.write_text(old)
    times = dump.stat()
    read(store, dump)
    dump.write_text(new)
    os.utime(dump, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    read(store, dump)
    dump.write_text(old)
    os.utime(dump, ns=(times.st_atime_ns, times.st_mtime_ns))
    read(store, dump)
    assert store.document("A").text == "red"


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LacunaError, match="can be read only once"):
        open_store(tmp_path / "pipe")
    code = f"""
        head -1 <(echo '{{"title": "A", "text": "b"}}') >/dev/null
        {sys.executable} -m lacuna index <(echo '{{"title": "A", "text": "b"}}') --out {tmp_path}/c
    """
    ran = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
    assert ran.returncode == 2, ran.stderr
    assert "can be read only once" in ran.stderr
    assert not (tmp_path / "c").exists()


NOT_UTF8 = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="names are Unicode on this system"
)


@NOT_UTF8
def test_a_corpus_in_a_folder_whose_name_is_not_utf8(tmp_path: Path) -> None:
    write(tmp_path / "notes" / "a.txt", "The ferry is red.")
    folder = tmp_path / os.fsdecode(b"corp\xffus")
    verbs: tuple[list[str | Path], ...] = (
        ["index", tmp_path / "notes", "--out", folder],
        ["search", "ferry", "--corpus", folder],
        ["corpus", "info", folder],
        ["corpus", "info", folder, "--json"],
        ["corpus", "check", folder, "--deep"],
        ["corpus", "repair", folder],
        ["corpus", "backup", folder, tmp_path / os.fsdecode(b"copy\xfe")],
        ["corpus", "remove", folder, "a"],
    )
    for arguments in verbs:
        ran = subprocess.run(
            [sys.executable, "-m", "lacuna", *arguments], capture_output=True, text=True
        )
        assert ran.returncode == 0, (arguments, ran.stderr)
        assert "Traceback" not in ran.stderr


@NOT_UTF8
def test_sources_whose_names_are_not_utf8_are_told_apart(store: Store, tmp_path: Path) -> None:
    folders = [tmp_path / os.fsdecode(name) for name in (b"n\xff", b"n\xfe")]
    for folder, colour in zip(folders, ("red", "blue"), strict=True):
        write(folder / "a.txt", f"The ferry is {colour}.")
        read(store, folder)
    assert len(store) == len(store.sources()) == 2
    write(folders[1] / "a.txt", "The ferry is green.")
    assert refresh_store(store)
    texts = {document.text for document in store}
    assert texts == {"The ferry is red.", "The ferry is green."}
    for folder in folders:
        with open_store(folder) as cached:
            assert len(cached) == 1
            assert Bm25Retriever(cached).search("ferry")
