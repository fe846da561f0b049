"""Places: from an offset to a file, a line or page, and an address that opens."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lacuna.places import Origin, Place, PlaceUnit


def test_places_read_as_a_person_would_write_them() -> None:
    assert str(Place("a/b.md", 3)) == "a/b.md:3"
    assert str(Place("a.pdf", 3, PlaceUnit.PAGE)) == "a.pdf, page 3"
    assert str(Place("a.csv", 7, PlaceUnit.ROW)) == "a.csv, row 7"
    assert str(Place("a.html", fragment="tools")) == "a.html#tools"
    assert str(Place("a.docx")) == "a.docx"
    assert str(Place("", url="https://example.org")) == "https://example.org"


def test_the_last_mark_before_an_offset_counts() -> None:
    origin = Origin("a.md", marks=((5, 2), (9, 4)), anchors=((6, "x"),))
    assert [origin.at(at).number for at in (0, 5, 8, 9, 99)] == [None, 2, 2, 4, 4]
    assert [origin.at(at).fragment for at in (5, 6, 99)] == ["", "x", "x"]


def test_addresses_open_the_place(tmp_path: Path) -> None:
    root = str(tmp_path)
    page = Origin("a b.html", root, anchors=((0, "the part"),))
    assert page.at(0).url == f"{tmp_path.as_uri()}/a%20b.html#the%20part"
    paper = Origin("x.pdf", root, unit=PlaceUnit.PAGE, marks=((0, 3),))
    assert paper.at(0).url.endswith("/x.pdf#page=3")
    on_the_web = Origin("x.html", root, url="https://example.org/x", anchors=((0, "p"),))
    assert on_the_web.at(0).url == "https://example.org/x#p"
    assert Origin("x.html").at(0).url == "", "where the source lies is not known"
    (tmp_path / ".obsidian").mkdir()
    assert Origin("n.md", root).at(0).url.startswith("obsidian://open?path=%2F")


def test_a_file_that_is_its_own_source_and_one_in_an_archive(tmp_path: Path) -> None:
    file = tmp_path / "x.pdf"
    file.write_bytes(b"%PDF-")
    assert Origin("x.pdf", str(file)).at(0).url == file.as_uri()
    archive = tmp_path / "pages.zip"
    archive.write_bytes(b"PK")
    assert Origin("in/x.html", str(archive)).at(0).url == archive.as_uri()


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9))), st.integers(0, 60))
def test_any_offset_has_a_place(marks: list[tuple[int, int]], offset: int) -> None:
    origin = Origin("a.md", marks=tuple(sorted(marks)))
    before = [number for at, number in origin.marks if at <= offset]
    assert origin.at(offset).number == (before[-1] if before else None)
