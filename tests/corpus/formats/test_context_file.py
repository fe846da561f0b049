"""A passage from a file, with its links; and what is no passage."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.formats.detect import context_from, context_of
from lacuna.errors import LacunaError


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_markdown_and_html_keep_their_links(tmp_path: Path) -> None:
    note = context_from(write(tmp_path, "a.md", "See [the fell](Carrow%20Fell.md) or [[Torrow]]."))
    assert [link.target for link in note.links] == ["Carrow Fell", "Torrow"]
    page = context_from(write(tmp_path, "b.html", '<p>Go to <a href="Torrow.html">it</a> now.</p>'))
    assert [link.target for link in page.links] == ["Torrow"]


@pytest.mark.parametrize("name", ["a.txt", "README", "notes.log"])
def test_anything_else_is_plain_text(tmp_path: Path, name: str) -> None:
    passage = context_from(write(tmp_path, name, "It sails. *It* is old.\n"))
    assert passage.text == "It sails. *It* is old.\n"
    assert len(passage.sentences) == 2


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01\xff\xfe\x00"])
def test_what_is_empty_or_binary_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(LacunaError, match="cannot be asked"):
        context_from(write(tmp_path, name, content))


def test_what_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="There is no file"):
        context_from(tmp_path / "a.md")
    with pytest.raises(LacunaError, match="is a folder"):
        context_from(tmp_path)


def test_bytes(tmp_path: Path) -> None:
    assert context_of("standard input", b"It sails.").text == "It sails."
    for bad in (b"", b"\xff\xff", b"a\x00b"):
        with pytest.raises(LacunaError, match="The standard input cannot be asked"):
            context_of("standard input", bad)
