"""Which reader a source gets, and what is said where none fits."""

from __future__ import annotations

import bz2
import gzip
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from lacuna.corpus.formats.base import format_names
from lacuna.corpus.formats.detect import detect_source, open_source
from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError
from lacuna.types import Document

DUMP = b'<mediawiki xmlns="x"><page><title>A</title><ns>0</ns></page></mediawiki>'


def detect_format(path: Path) -> str:
    """The name of the format of a file or dump; "pages" of a folder or archive of pages."""
    detected = detect_source(path)
    known = detected.dump or detected.only
    return known.name if known else "pages"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("dump.xml", DUMP, "mediawiki"),
        ("dump.xml.bz2", bz2.compress(DUMP), "mediawiki"),
        ("without-suffix", gzip.compress(b'<?xml version="1.0"?>' + DUMP), "mediawiki"),
        ("page.html", b"<!DOCTYPE html><p>x", "html"),
        ("page.htm", b"just text", "html"),
        ("page.xhtml", b'<?xml version="1.0"?><html xmlns="y">', "html"),
        ("note.md", b"# x", "markdown"),
        ("note.txt", b"x", "text"),
        ("d.jsonl", b'{"title": "A", "text": "x"}\n', "jsonl"),
        ("d.jsonl.gz", gzip.compress(b'{"title": "A", "sentences": ["x"]}\n'), "hotpot"),
        ("wiki_00.bz2", bz2.compress(b'{"title": "A", "text": ["x"], "charoffset": []}'), "hotpot"),
        ("d.jsonl", b'{"_id": "1", "title": "A", "text": "x", "metadata": {}}', "hotpot"),
        ("context_articles.json", b'{"a town": "text", "b": "' + b"x" * 99999 + b'"}', "iirc"),
        ("d.jsonl", b'{"title": "A", "text": "' + b"x" * 99999 + b'"}', "jsonl"),
    ],
)
def test_files(tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert detect_format(path) == expected


def test_folders_and_archives_of_pages(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md", "c.html", "d.png", "e.png", "f.png"):
        (folder / name).write_text("x")
    assert detect_format(folder) == "pages"
    with tarfile.open(tmp_path / "notes.tar.xz", "w:xz") as tar:
        tar.add(folder, "notes")
    assert detect_format(tmp_path / "notes.tar.xz") == "pages"
    titles = [f.title for f in open_source(tmp_path / "notes.tar.xz") if isinstance(f, Document)]
    assert titles == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("dump.xml.bz2", bz2.compress(b"not xml at all"), "does not begin like it"),
        ("d.jsonl", b"not json", "does not begin like it"),
        ("d.json", b'{"title": ' + b"[" * 20_000, "does not begin like it"),
        ("note.md", b"<!DOCTYPE html><html>", "its content looks like html"),
        ("note.txt", b"\x7fELF\0\0", "binary data"),
        ("note.txt", b" \n", "is empty"),
        ("thing.dat", b"words", "cannot be told"),
        ("dump.7z", b"7z\xbc\xaf\x27\x1c", "Unpack it first"),
        ("dump.xml.bz2", bz2.compress(DUMP)[:-5], "cut off or damaged"),
    ],
)
def test_files_that_are_not_what_their_name_says(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(LacunaError, match=message):
        list(open_source(path))


def test_an_empty_folder_a_missing_path_and_an_unknown_format(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with pytest.raises(LacunaError, match="holds no pages"):
        open_source(tmp_path / "notes")
    with pytest.raises(LacunaError, match=r"Did you mean .*notes"):
        open_source(tmp_path / "note")
    with pytest.raises(LacunaError, match="Did you mean markdown"):
        open_source(tmp_path / "notes", "markdwon")


def test_a_named_format_goes_before_the_file_name(tmp_path: Path) -> None:
    path = tmp_path / "data.log"
    path.write_text('{"title": "A", "text": "x"}\n')
    (found,) = open_source(path, "jsonl")
    assert isinstance(found, Document)


@pytest.mark.parametrize("name", format_names())
def test_every_format_has_a_reader(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(LacunaError, match="empty"):
        list(open_source(tmp_path / "empty", name))


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    os.mkfifo(tmp_path / "pipe.md")
    found = list(open_source(tmp_path))
    assert [f.title for f in found if isinstance(f, Document)] == ["a"]


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for source_format in (None, "jsonl"):
        with pytest.raises(LacunaError, match="a pipe or a device"):
            open_source(tmp_path / "pipe.jsonl", source_format)


def mixed_folder(folder: Path) -> Path:
    folder.mkdir()
    for name in ("a.md", "b.md", "page.html", "list.txt", "rows.jsonl", "picture.png"):
        (folder / name).write_text("Some text.\n")
    return folder


def test_the_pages_of_all_formats_are_read(tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path / "notes")
    items = list(open_source(folder))
    titles = {item.title for item in items if isinstance(item, Document)}
    assert titles == {"a", "b", "page", "list"}
    archive = shutil.make_archive(str(tmp_path / "notes"), "zip", folder)
    assert {
        item.title for item in open_source(Path(archive)) if isinstance(item, Document)
    } == titles


@pytest.mark.parametrize("packed", ["", "zip", "tar"])
def test_what_is_no_page_is_told(tmp_path: Path, packed: str) -> None:
    folder = mixed_folder(tmp_path / "notes")
    source = Path(shutil.make_archive(str(folder), packed, folder)) if packed else folder
    left_out = {i.where: i.reason for i in open_source(source) if isinstance(i, Skipped)}
    assert set(left_out) == {"rows.jsonl"}  # a picture has no words that could be missed
    assert "it is jsonl" in left_out["rows.jsonl"]
    assert "by itself" in left_out["rows.jsonl"]


def test_a_named_format_is_read_alone(tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path / "notes")
    items = list(open_source(folder, "markdown"))
    skipped = {item.where: item.reason for item in items if isinstance(item, Skipped)}
    assert set(skipped) == {"page.html", "list.txt", "rows.jsonl"}
    assert "only that was asked for" in skipped["page.html"]
    assert {item.title for item in items if isinstance(item, Document)} == {"a", "b"}


def test_a_stray_bz2_file_does_not_make_notes_a_dump(tmp_path: Path) -> None:
    folder = mixed_folder(tmp_path / "notes")
    (folder / "backup.bz2").write_bytes(bz2.compress(b"anything"))
    titles = {item.title for item in open_source(folder) if isinstance(item, Document)}
    assert titles == {"a", "b", "page", "list"}
