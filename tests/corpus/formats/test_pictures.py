"""Pictures of every format keep their place; the text is the same as without them."""

from __future__ import annotations

import pytest

from lacuna.corpus.formats.asciidoc import parse_asciidoc
from lacuna.corpus.formats.base import ParseFile
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.html import parse_html
from lacuna.corpus.formats.markdown import parse_markdown
from lacuna.corpus.formats.org import parse_org
from lacuna.corpus.formats.rst import parse_rst
from lacuna.corpus.page import Page
from lacuna.types import Document, MarkupKind


def read(parse: ParseFile, text: str) -> Document:
    (page,) = parse(Entry("a/page.txt", text.encode()))
    assert isinstance(page, Page), page
    return page.document


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_markdown, "One.\n\n![A boat at sea](img/boat.png)\n\nTwo.\n"),
        (parse_markdown, 'One.\n\n<img src="img/boat.png" alt="A boat at sea">\n\nTwo.\n'),
        (parse_markdown, "One.\n\n![[img/boat.png|A boat at sea]]\n\nTwo.\n"),
        (
            parse_html,
            "<p>One.</p><p><img src='img/boat.png' alt='A boat at sea'></p><p>Two.</p>",
        ),
        (parse_rst, "One.\n\n.. image:: img/boat.png\n   :alt: A boat at sea\n\nTwo.\n"),
        (parse_asciidoc, "One.\n\nimage::img/boat.png[A boat at sea]\n\nTwo.\n"),
        (parse_org, "One.\n\n[[file:img/boat.png][A boat at sea]]\n\nTwo.\n"),
    ],
)
def test_words_and_target(parse: ParseFile, text: str) -> None:
    document = read(parse, text)
    assert document.text == "One.\n\nA boat at sea\n\nTwo."
    (picture,) = document.pictures
    assert picture.target == "img/boat.png"
    assert document.text[picture.start : picture.end] == "A boat at sea"


@pytest.mark.parametrize(
    ("parse", "text", "shown"),
    [
        (parse_markdown, "![Figure 1\\. A boat](b.png)\n\n**Figure 1\\. A boat**\n\nTwo.\n",
         "Figure 1. A boat\n\nTwo."),
        (parse_markdown, "_A boat_\n\n![A boat.](b.png)\n\nTwo.\n", "A boat\n\nTwo."),
        (parse_html,
         "<p>One.</p><table><caption>Figure 1: <a name=f>A boat</a></caption>"
         "<tr><td><img src='b.png' alt='A boat'></td></tr></table><p>Two.</p>",
         "One.\n\nFigure 1: A boat\n\nTwo."),
        (parse_html, "<p><img src='b.png' alt='A boat'></p><p>A boat</p><p>A boat</p><p>Two.</p>",
         "A boat\n\nA boat\n\nTwo."),
        (parse_asciidoc, ".A boat\nimage::b.png[A boat]\n\nTwo.\n", "A boat\n\nTwo."),
        (parse_rst, ".. figure:: b.png\n   :alt: A boat\n\n   A boat.\n\nTwo.\n", "A boat\n\nTwo."),
    ],
)  # fmt: skip
def test_a_caption_with_the_words_of_its_picture_is_said_once(
    parse: ParseFile, text: str, shown: str
) -> None:
    document = read(parse, text)
    assert document.text == shown
    assert [picture.target for picture in document.pictures] == ["b.png"]
    assert [document.text[start:end] for start, end in document.paragraphs] == shown.split("\n\n")


def test_what_a_caption_said_twice_had_in_it_is_gone_with_it() -> None:
    text = "One.\n\n![A boat](b.png)\n\n**A [boat](c.md)**\n\n[Two](d.md) *more*.\n"
    (page,) = parse_markdown(Entry("a/page.md", text.encode()))
    assert isinstance(page, Page)
    document = page.document
    assert document.text == "One.\n\nA boat\n\nTwo more."
    assert [(document.text[a.start : a.end], a.target) for a in page.links] == [("Two", "d.md")]
    assert document.origin is not None
    assert document.origin.marks == ((0, 1), (6, 3), (14, 7))
    strong = [mark for mark in document.markup if mark.kind is MarkupKind.STRONG]
    assert strong == []


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("One.\n\n![](a.png)\n\nTwo.\n", 5),
        ("One.\n\nTwo ![](a.png) three.\n", 9),
        ("One.\n\n![](a.png) Two.\n", 6),
        ("![](a.png)\n\nOne.\n", 0),
        ("One.\n\n![](a.png)\n", 4),
        ("# page ![](a.png)\n\nOne.\n", 0),
    ],
)
def test_without_words_it_stands_in_its_block_or_between_two(text: str, at: int) -> None:
    document = read(parse_markdown, text)
    assert [(one.start, one.end) for one in document.pictures] == [(at, at)]
    assert "png" not in document.text


@pytest.mark.parametrize(
    "target",
    ["https://example.org/a.png", "//example.org/a.png", "data:image/png;base64,AA", "a.svg", "a"],
)
def test_what_lies_elsewhere_or_could_hold_scripts_is_not_kept(target: str) -> None:
    document = read(parse_markdown, f"One ![words]({target}) two.\n")
    assert document.text == "One words two."
    assert document.pictures == ()


def test_no_more_than_a_page_can_show() -> None:
    assert len(read(parse_markdown, "One.\n\n" + "![](a.png) " * 3_000).pictures) == 1_000
