"""Markdown folders: titles, aliases, both kinds of links, and code."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.formats.markdown import read_markdown
from lacuna.corpus.source_item import Redirect, Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document


def vault(folder: Path, notes: dict[str, str]) -> list[SourceItem]:
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(read_markdown(folder))


def note(found: list[SourceItem], title: str) -> Document:
    (document,) = [f for f in found if isinstance(f, Document) and f.title == title]
    return document


def anchors(document: Document) -> list[tuple[str, str, str]]:
    return [
        (document.text[link.start : link.end], link.target, link.fragment)
        for link in document.links
    ]


def test_text_without_markup_with_sections_and_sentences(tmp_path: Path) -> None:
    found = vault(
        tmp_path,
        {
            "a.md": "# The *Ferry*\n\nIt is **old**\nand <b>slow</b>. It `sails`.\n\n## Crew\n\n"
            "- Voss\n- Berg ![alt](x.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<!-- leak -->\n"
        },
    )
    ferry = note(found, "The Ferry")
    assert ferry.text == "It is old and slow. It sails.\n\nCrew\n\nVoss\n\nBerg\n\na | b\n\n1 | 2"
    assert [section.path for section in ferry.sections] == [("The Ferry",), ("The Ferry", "Crew")]
    assert ferry.sentence(1) == "It sails."


def test_links_by_path_lead_to_titles(tmp_path: Path) -> None:
    found = vault(
        tmp_path,
        {
            "sub/a.md": "See [the *river*](../River%20Maas.md#Its_width), [it](#below), "
            "[x](gone.md), [web](https://x.y/a.md), [file](a.pdf) and "
            "[the ref][r].\n\n[r]: ../River%20Maas.md",
            "River Maas.md": "---\ntitle: The Maas\n---\nText.",
        },
    )
    assert anchors(note(found, "a")) == [
        ("the river", "The Maas", "Its width"),
        ("it", "a", "below"),
        ("x", "gone", ""),
        ("the ref", "The Maas", ""),
    ]


def test_wiki_links_by_name_path_title_and_alias(tmp_path: Path) -> None:
    found = vault(
        tmp_path,
        {
            "a.md": "[[River Maas]] [[sub/river maas|one]] [[The Maas#Its width|two]] [[maze]] "
            "[[#Here]] [[Gone note#^b1]] ![[River Maas]] [[River Maas#Bed]]",
            "sub/River Maas.md": "---\ntitle: The Maas\naliases: [Maze]\n---\nText.",
        },
    )
    assert anchors(note(found, "a")) == [
        ("River Maas", "The Maas", ""),
        ("one", "The Maas", ""),
        ("two", "The Maas", "Its width"),
        ("maze", "The Maas", ""),
        ("Here", "a", "Here"),
        ("Gone note", "Gone note", "b1"),
        ("River Maas", "The Maas", "Bed"),
    ]


def test_links_inside_code_are_text(tmp_path: Path) -> None:
    code = "```\n[[x]]\n\n  [y](z.md)\n```"
    found = vault(tmp_path, {"a.md": f"Use `[[x]]` so:\n\n{code}\n\n    [[indented]]\n"})
    assert note(found, "a").text == "Use [[x]] so:\n\n[[x]]\n\n  [y](z.md)\n\n[[indented]]"
    assert note(found, "a").links == ()


def test_every_other_name_of_a_note_redirects_to_it(tmp_path: Path) -> None:
    found = vault(
        tmp_path,
        {"sub/f.md": "---\ntitle: Ferry\naliases:\n- Boat\n- ferry\n---\nText.", "Boat.md": "B."},
    )
    redirects = [item for item in found if isinstance(item, Redirect)]
    assert redirects == [
        Redirect("Boat.md", "Boat"),
        Redirect("sub/f.md", "Ferry"),
        Redirect("sub/f", "Ferry"),
        Redirect("f", "Ferry"),
    ]


def test_notes_that_share_a_title_are_told_apart_by_path(tmp_path: Path) -> None:
    found = vault(tmp_path, {"x/a.md": "# Notes\n\nOne.", "y/a.md": "# Notes\n\n[o](../x/a.md)"})
    assert anchors(note(found, "y/a")) == [("o", "x/a", "")]


@pytest.mark.parametrize(
    "front",
    [
        "---\ntitle: [broken\n---\n",
        "---\n- a list\n---\n",
        "---\ntitle:\n---\n",
        "---\n<<: {}\n---\n",
    ],
)
def test_front_matter_that_is_no_use_is_left_out(tmp_path: Path, front: str) -> None:
    assert note(vault(tmp_path, {"a.md": front + "Text."}), "a").text == "Text."


def test_what_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "bytes.md").write_bytes(b"caf\xe9")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = vault(tmp_path, {"good.md": "Text.", "empty.md": "\n"})
    skipped = {item.where: item.reason for item in found if isinstance(item, Skipped)}
    assert skipped == {
        "bytes.md": "byte 3 is not UTF-8; save the file as UTF-8",
        "empty.md": "it has no text",
        "loop": "a link to a folder that is read already",
    }


def test_one_file_alone_is_read_without_its_neighbours(tmp_path: Path) -> None:
    vault(tmp_path, {"a.md": "See [[b]].", "b.md": "Text."})
    titles = [f.title for f in read_markdown(tmp_path / "a.md") if isinstance(f, Document)]
    assert titles == ["a"]


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="holds no Markdown files"):
        list(read_markdown(tmp_path))


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# my_func_name", "my_func_name"),
        ("# C# and F#", "C# and F#"),
        ("# Closed ##", "Closed"),
        ("# _Emphasis_ and **more**", "Emphasis and more"),
        ("# Title [with] brackets / slash", "Title [with] brackets / slash"),
        ("# See [the port](p.md) and [[Tarn]]", "See the port and Tarn"),
    ],
)
def test_a_title_keeps_what_is_no_markup(tmp_path: Path, heading: str, title: str) -> None:
    found = vault(tmp_path, {"note.md": f"{heading}\n\nText.\n"})
    assert note(found, title).text.endswith("Text.")
