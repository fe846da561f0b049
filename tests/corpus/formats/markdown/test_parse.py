"""Markdown pages: titles, text, links as they are written, lines and anchors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.markdown import parse_markdown
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.store import Skipped
from lacuna.types import MarkupKind

Parse = Callable[..., Page]
PATH, NAME = LinkKind.PATH, LinkKind.NAME


def links(page: Page) -> list[tuple[str, str, LinkKind]]:
    text = page.document.text
    return [(text[link.start : link.end], link.target, link.kind) for link in page.links]


def line_of(page: Page, words: str) -> int | None:
    origin = page.document.origin
    assert origin is not None
    return origin.at(page.document.text.index(words)).number


def fragment_of(page: Page, words: str) -> str:
    origin = page.document.origin
    assert origin is not None
    return origin.at(page.document.text.index(words)).fragment


def test_text_without_markup_with_sections_and_sentences(parse: Parse) -> None:
    ferry = parse(
        "# The *Ferry*\n\nIt is **old**\nand <b>slow</b>. It `sails`.\n\n## Crew\n\n"
        "- Voss\n- Berg ![alt](x.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<!-- leak -->\n"
    ).document
    assert ferry.title == "The Ferry"
    assert ferry.text == ("It is old and slow. It sails.\n\nCrew\n\nVoss\nBerg alt\n\na: 1 | b: 2")
    assert [section.path for section in ferry.sections] == [("The Ferry",), ("The Ferry", "Crew")]
    assert ferry.sentence(1) == "It sails."


def test_links_by_path_stay_as_they_are_written(parse: Parse) -> None:
    page = parse(
        "See [the *river*](../River%20Maas.md#Its_width), [it](#below), [x](gone.md), "
        "[web](https://x.y/a.md), <https://z.org>, [file](<a b.pdf>), [[1]](one.md) and "
        "[the ref][r].\n\n"
        "[r]: ../River%20Maas.md"
    )
    assert links(page) == [
        ("the river", "../River%20Maas.md#Its_width", PATH),
        ("it", "#below", PATH),
        ("x", "gone.md", PATH),
        ("web", "https://x.y/a.md", PATH),
        ("https://z.org", "https://z.org", PATH),
        ("file", "a b.pdf", PATH),
        ("[1]", "one.md", PATH),
        ("the ref", "../River%20Maas.md", PATH),
    ]


def test_wiki_links_and_embeds_are_links_by_name(parse: Parse) -> None:
    page = parse(
        "[[River Maas]] [[sub/river maas|one]] [[The Maas#Its width|two]] [[#Here]] "
        "[[Gone note#^b1]] ![[Port]] ![[Port#Cranes|the cranes]] [[River Maas#Bed]]"
    )
    assert links(page) == [
        ("River Maas", "River Maas", NAME),
        ("one", "sub/river maas", NAME),
        ("two", "The Maas#Its width", NAME),
        ("Here", "#Here", NAME),
        ("Gone note", "Gone note#^b1", NAME),
        ("Port", "Port", NAME),
        ("the cranes", "Port#Cranes", NAME),
        ("River Maas", "River Maas#Bed", NAME),
    ]


def test_pictures_are_their_words(parse: Parse) -> None:
    page = parse(
        '![A *red* boat](b.png "In 1907") ![[Old harbour.png]] ![[x.jpg|300]] ![[x.jpg|The quay]] '
        "![by reference][p] ![wide|640x480](w.png) ![](data:image/png;base64,AAAA)\n\n[p]: p.png"
    )
    assert page.document.text == ("A red boat (In 1907) Old harbour x The quay by reference wide")
    assert page.links == ()


def test_links_inside_code_are_text(parse: Parse) -> None:
    code = "```\n[[x]]\n\n  [y](z.md)\n```"
    page = parse(f"Use `[[x]]` so:\n\n{code}\n\n    [[indented]]\n")
    assert page.document.text == "Use [[x]] so:\n\n[[x]]\n\n  [y](z.md)\n\n[[indented]]"
    assert page.links == ()


def test_a_table_keeps_its_columns_links_and_lines(parse: Parse) -> None:
    page = parse(
        "Prices.\n\n| Plan | Price |\n|---|---|\n| [Gold](gold.md) | $20 |\n"
        "| [[Silver\\|silver]] |  |\n"
    )
    assert page.document.text == ("Prices.\n\nPlan: Gold | Price: $20\nPlan: silver | Price: –")
    assert links(page) == [("Gold", "gold.md", PATH), ("silver", "Silver", NAME)]
    assert (line_of(page, "Gold"), line_of(page, "silver")) == (5, 6)


def test_lists_nest_with_their_lead_in(parse: Parse) -> None:
    page = parse("Crew:\n\n- Voss\n\n  the mate\n  - knots\n- Berg\n\nAfter.")
    assert page.document.text == "Crew:\n\nVoss\nthe mate\n  knots\nBerg\n\nAfter."


def test_numbers_of_a_list_stand_before_its_items_and_are_none_of_them(parse: Parse) -> None:
    page = parse("Do:\n\n1. Row.\n1. Rest:\n\n   * drink\n     1. eat\n1. Go.\n\n5. Five\n6. Six")
    text = page.document.text
    assert text == "Do:\n\n1. Row.\n2. Rest:\n  drink\n    1. eat\n3. Go.\n4. Five\n5. Six"
    assert [text[start:end] for start, end in page.document.paragraphs][1:4] == [
        "Row.",
        "Rest:",
        "drink",
    ]
    items = [mark for mark in page.document.markup if mark.kind is MarkupKind.ITEM]
    assert [(mark.level, mark.number) for mark in items][:4] == [(1, 1), (1, 2), (2, 0), (3, 1)]
    assert parse("3. Three\n3. Four").document.text == "3. Three\n4. Four"


def test_tasks_say_whether_they_are_done(parse: Parse) -> None:
    page = parse("- [x] paint the hull\n- [ ] mend the sail\n- [/] oil\n1. [X] *rope*\n")
    assert page.document.text == (
        "[done] paint the hull\n[to do] mend the sail\n[in progress] oil\n\n1. [done] rope"
    )


def test_footnotes_follow_where_they_are_written(parse: Parse) -> None:
    page = parse("It sails[^1] daily^[but *not* on [Sundays](s.md)].\n\n[^1]: Since 1907.\n\nEnd.")
    assert page.document.text == ("It sails daily (but not on Sundays).\n\nSince 1907.\n\nEnd.")
    assert links(page) == [("Sundays", "s.md", PATH)]


def test_a_term_stands_with_its_definition(parse: Parse) -> None:
    page = parse("Keel\n: The spine of a *ship*.\n\nWhat is a sheet?\n: A rope.\n: Not a sail.\n")
    assert page.document.text == (
        "Keel: The spine of a ship.\nWhat is a sheet? A rope.\nNot a sail."
    )


def test_formulas_stay_as_written_and_prices_are_text(parse: Parse) -> None:
    page = parse("So $a_1*b*c$ holds, for $5 or *$6*.\n\n$$\nx\n+ \\frac{1}{2}\n$$\n")
    assert page.document.text == ("So $a_1*b*c$ holds, for $5 or $6.\n\n$$\nx\n+ \\frac{1}{2}\n$$")


def test_lines_and_anchors_are_known(parse: Parse) -> None:
    page = parse(
        "---\ntitle: T\n---\nOne <b\n>bold</b>\ntwo.\n\n## Big *Boats*\n\nThree. ^b1\n\n"
        "## Big boats {#own}\n"
        '\n```\nfour\n\nfive\n```\n\n<a name="six"></a>Six\n\n### Seven {: #eight .c }\n'
    )
    assert [line_of(page, word) for word in ("One", "two", "Big", "Three", "four", "five")] == [
        4,
        6,
        8,
        10,
        15,
        17,
    ]
    assert [fragment_of(page, word) for word in ("Big", "Three", "four", "Six", "Seven")] == [
        "big-boats",
        "b1",
        "own",
        "six",
        "eight",
    ]
    assert "{" not in page.document.text
    assert "^" not in page.document.text


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# my_func_name", "my_func_name"),
        ("# C# and F#", "C# and F#"),
        ("# Closed ##", "Closed"),
        ("# _Emphasis_ and **more**", "Emphasis and more"),
        ("# Title [with] brackets / slash", "Title [with] brackets / slash"),
        ("# See [the port](p.md) and [[Tarn]]", "See the port and Tarn"),
        ("Underlined *title*\n===", "Underlined title"),
        ("\ufeff# After a mark", "After a mark"),
        ("```\n# no\n```\n\n# Below code", "Below code"),
        ("## One", "One"),
        ("<!-- old -->\n\n## One", "One"),
        ("Text.\n\n## One", "note"),
        ("## One\n\nText.\n\n# Whole", "Whole"),
        ('<h1 align="center">\n<p>The &amp; ferry</p> <img src="a.png">\n</h1>', "The & ferry"),
        ("# x" + " " * 100_000 + "y", "x y"),
    ],
)
def test_the_title_is_the_main_heading(parse: Parse, heading: str, title: str) -> None:
    page = parse(f"{heading}\n\nText.\n")
    assert page.document.title == " ".join(title.split())
    assert page.document.text.endswith("Text.")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("guide/Set_up.md", "Set_up"),
        ("guide/_index.md", "guide"),
        ("a/guide/index.mdx", "guide"),
        ("guide/README.md", "guide"),
        ("README.md", "README"),
    ],
)
def test_without_a_title_the_file_or_folder_names_it(parse: Parse, name: str, title: str) -> None:
    assert parse("Text.", name).document.title == title


def test_line_ends_and_tabs_of_every_kind(parse: Parse) -> None:
    page = parse("# T\r\n\r\nOne\r\ntwo.\r\n\r\n-\tthree\r\n\r\n```\r\nfour\r\n\tfive\r\n```\r\n")
    assert page.document.text == "One two.\n\nthree\n\nfour\n\tfive"
    assert line_of(page, "five") == 10


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"caf\xe9", "byte 3 is not UTF-8; save the file as UTF-8"),
        (b"\n", "it has no text"),
        (b"a\0b", "it is not text but binary data"),
    ],
)
def test_what_cannot_be_read_is_skipped(data: bytes, reason: str) -> None:
    assert list(parse_markdown(Entry("a.md", data))) == [Skipped("a.md", reason)]


@pytest.mark.parametrize("mark", ["- ", "1. ", "> ", "- 1. ", "> - ", ":   ", "[^1]: ", "- > :   "])
@pytest.mark.parametrize("depth", [10, 30, 60, 300])
def test_deep_nesting_swallows_nothing(mark: str, depth: int) -> None:
    note = f"Word\n{mark * depth}deep words\n\nThe last sentence.\n"
    (page,) = parse_markdown(Entry("note.md", note.encode()))
    assert isinstance(page, Page)
    assert "deep words" in page.document.text
    assert page.document.text.endswith("The last sentence.")
