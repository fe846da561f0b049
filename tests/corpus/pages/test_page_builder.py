"""Building a page: gaps between blocks, places, links as written, tables."""

from __future__ import annotations

import pytest

from lacuna.corpus import page_builder
from lacuna.corpus.page import LinkKind
from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.tables import Cell, Run
from lacuna.places import PlaceUnit


def test_items_of_a_list_stand_on_neighbouring_lines() -> None:
    builder = PageBuilder("T")
    builder.add("Take:")
    builder.end_block()
    for item in ("a rope", "", "a lamp"):
        builder.end_block()  # what a format says at the beginning of an item
        builder.add(item)
        builder.end_item()
    builder.end_list()
    builder.add("Then go.")
    page = builder.page("t.md")
    assert page.document.text == "Take:\n\na rope\na lamp\n\nThen go."
    assert len(page.document.paragraphs) == 4


def test_marks_and_anchors_stand_where_the_text_begins() -> None:
    builder = PageBuilder("T")
    builder.mark(1)
    builder.anchor("top")
    builder.open_heading(1)
    builder.add("T")  # the title is no part of the text
    builder.end_block()
    builder.mark(3)
    builder.add("One")
    builder.mark(4)
    builder.add(" two.")
    builder.end_block()
    builder.mark(4)
    builder.anchor("end")
    builder.add("Three.")
    page = builder.page("t.md", unit=PlaceUnit.PAGE)
    assert page.document.text == "One two.\n\nThree."
    origin = page.document.origin
    assert origin is not None
    assert origin.marks == ((0, 3), (4, 4))
    assert origin.anchors == ((0, "top"), (10, "end"))
    assert origin.unit is PlaceUnit.PAGE


def test_links_stay_as_they_are_written() -> None:
    builder = PageBuilder("T")
    builder.open_written("../x.md#a")
    builder.add("x")
    builder.close_link()
    builder.add(" and ")
    builder.open_written("Some note", LinkKind.NAME)
    builder.add("y")
    page = builder.page("t.md", names=["Tee"], labels=[("label", "a")])
    assert [(link.target, link.kind) for link in page.links] == [
        ("../x.md#a", LinkKind.PATH),
        ("Some note", LinkKind.NAME),
    ]
    assert [page.document.text[link.start : link.end] for link in page.links] == ["x", "y"]
    assert page.document.links == ()
    assert (page.names, page.labels) == (("Tee",), (("label", "a"),))


def test_a_table_has_its_links_and_lines() -> None:
    builder = PageBuilder("T")
    builder.add("Plans:")
    rows = [
        [Cell((Run("Plan"),), heading=True), Cell((Run("Price"),), heading=True)],
        [Cell((Run("Gold", "gold.md"),)), Cell((Run("$20"),))],
        [Cell((Run("Free"),)), Cell()],
    ]
    builder.mark(1)
    builder.add_table(rows, marks=[3, 5, 6])
    builder.add("End.")
    page = builder.page("t.md")
    text = page.document.text
    assert text == "Plans:\n\nPlan: Gold | Price: $20\nPlan: Free | Price: –\n\nEnd."
    (link,) = page.links
    assert text[link.start : link.end] == "Gold"
    origin = page.document.origin
    assert origin is not None
    assert [origin.at(text.index(word)).number for word in ("Gold", "Free")] == [5, 6]


def test_a_row_of_a_table_is_one_sentence() -> None:
    builder = PageBuilder("T")
    builder.add("One. Two.")
    builder.add_table([[Cell((Run("approx. 1.5 m."),)), Cell((Run("The end. Really."),))]])
    document = builder.document()
    assert [document.sentence(number) for number in range(len(document.sentences))] == [
        "One.",
        "Two.",
        "approx. 1.5 m. | The end. Really.",
    ]


def test_a_chapter_is_a_place_in_its_book() -> None:
    builder = PageBuilder("One")
    builder.add("Text.")
    builder.end_block()
    builder.anchor("p2")
    builder.add("More.")
    origin = builder.page("book.epub", part="one.xhtml").document.origin
    assert origin is not None
    assert [str(origin.at(at)) for at in (0, 8)] == [
        "book.epub#one.xhtml",
        "book.epub#one.xhtml#p2",
    ]


def test_a_page_of_very_many_blocks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_builder, "MOST_BLOCKS", 3)
    builder = PageBuilder("T")
    for number in range(6):
        if number % 2:
            builder.open_heading(2)
        builder.add(f"Block {number}")
        builder.end_block()
    document = builder.document()
    assert document.text == "Block 0\n\nBlock 1\n\nBlock 2\n\nBlock 3\nBlock 4\nBlock 5"
    assert [document.text[slice(*span)] for span in document.paragraphs] == [
        "Block 0",
        "Block 2",
        "Block 3\nBlock 4\nBlock 5",
    ]
    assert document.sections[-1].end == len(document.text)
