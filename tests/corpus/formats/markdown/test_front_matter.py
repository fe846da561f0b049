"""Front matter: facts that can be asked, other names, and what is hostile or broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.page import Page

Parse = Callable[..., Page]


def properties(page: Page) -> list[str]:
    return page.document.text.partition("Properties\n\n")[2].split("\n")


YAML = """---
title: "The Maas"
aliases: [Maze, Meuse]
date: 2024-01-05
version: 1.10
tags:
  - river
  - water
author:
  name: Jane Doe
draft: false
empty:
permalink: /rivers/maas/
---
Text.
"""


def test_fields_become_facts_with_their_lines(parse: Parse) -> None:
    page = parse(YAML)
    assert page.document.title == "The Maas"
    assert page.names == ("Maze", "Meuse", "/rivers/maas/")
    assert page.document.text.startswith("Text.\n\nProperties\n\n")
    assert properties(page) == [
        "aliases: Maze, Meuse",
        "date: 2024-01-05",
        "version: 1.10",
        "tags: river, water",
        "author name: Jane Doe",
        "draft: false",
    ]
    origin = page.document.origin
    assert origin is not None
    assert origin.at(page.document.text.index("Jane")).number == 10
    assert origin.at(0).number == 15
    assert page.document.sections[-1].path == ("The Maas", "Properties")


def test_toml_and_json_say_the_same(parse: Parse) -> None:
    toml = parse(
        '+++\ntitle = "T"\nslug = "s"\ndate = 2024-01-05\ntags = ["a", "b"]\n[author]\n'
        'name = "Jane"\n+++\nText.'
    )
    json = parse(
        '{\n"title": "T",\n"slug": "s",\n"date": "2024-01-05",\n"tags": ["a", "b"],\n'
        '"author": {"name": "Jane"}\n}\n\nText.'
    )
    for page in (toml, json):
        assert (page.document.title, page.names) == ("T", ("s",))
        assert properties(page) == [
            "date: 2024-01-05",
            "tags: a, b",
            "author name: Jane",
        ]
        origin = page.document.origin
        assert origin is not None
        assert origin.at(page.document.text.index("2024")).number == 4
    assert [page.document.origin.at(0).number for page in (toml, json) if page.document.origin] == [
        9,
        9,
    ]


def test_a_heading_below_a_title_is_another_name(parse: Parse) -> None:
    assert parse("---\ntitle: A\n---\n# B\n\nText.").names == ("B",)
    assert parse("---\ntitle: A\n---\n# A\n\nText.").names == ()


def test_what_is_meant_as_fields_is_read_though_it_is_no_yaml(parse: Parse) -> None:
    page = parse("---\ntitle: Boats: a history\nauthor: @jane\n---\nText.")
    assert page.document.title == "Boats: a history"
    assert properties(page) == ["author: @jane"]


@pytest.mark.parametrize(
    "front",
    [
        "x: !!bool maybe",
        'x: !!int ""',
        'x: !!float ""',
        'x: !!timestamp "x"',
        "x: !!python/name:os",
    ],
)
def test_tags_of_yaml_mean_nothing(parse: Parse, front: str) -> None:
    assert parse(f"---\n{front}\n---\nText.").document.text.startswith("Text.")


def test_a_number_of_any_length_is_a_title(parse: Parse) -> None:
    page = parse(f"---\ntitle: 0x{'f' * 4000}\n---\nText.")
    assert page.document.title.startswith("0xfff")
    assert len(page.document.title) <= 500
    assert parse(f"+++\ntitle = {'9' * 4000}\n+++\nText.").document.text.endswith("Text.")


@pytest.mark.parametrize(
    "front",
    ["---\ntitle:\n---\n", "---\n---\n", "---\n<<: {}\n---\n", "+++\n+++\n", "{}\n"],
)
def test_front_matter_that_says_nothing_leaves_no_trace(parse: Parse, front: str) -> None:
    assert parse(front + "Text.").document.text == "Text."


@pytest.mark.parametrize(
    ("front", "kept"),
    [
        ("---\n- a list\n---\n", "a list"),
        ("---\nIt is said\n\tthat: [\n---\n", "It is said that: ["),
        ("---\n" + "[" * 30_000 + "\n---\n", "[[["),
        ("+++\nno toml\n+++\n", "no toml"),
        ("---\nIt never ends.\n\n", "It never ends."),
        ("---\n" + "x: 1\n" * 20_000 + "---\n", "x: 1"),
        ('{"a": 1} and more\n', "and more"),
    ],
)
def test_what_is_no_front_matter_stays_text(parse: Parse, front: str, kept: str) -> None:
    page = parse(front + "\nText.")
    assert kept in page.document.text
    assert page.document.text.endswith("Text.")


def test_a_bomb_stays_small(parse: Parse) -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    merges = [f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    front = "\n".join(["a0: &a0 [lol]", *levels, "b0: &b0 {k: lol}", *merges, "c: &c [*c]"])
    page = parse(f"---\n{front}\nauthor: Jane\n---\nText.")
    assert page.document.text.startswith("Text.")
    assert len(page.document.text) < 100_000


LAYOUT = """---
title: Ferries
layout: page
sidebar: {label: Boats, order: 2}
redirect_from: /old/ferries/
nav_order: 3
showTitle: true
pin: false
menu.docs.weight: 10
schema: {"@type": WebPage, name: Ferries of the Maas}
cover: ferry.webp
aliases: [/docs/ferries, /docs/boats]
last_reviewed_on: 2026-03-19
DateApproved: 8/19/2026
description: Read [the list](list.md) &amp; *sail*.
keywords: boats
---
Text.
"""


def test_what_lays_out_the_site_is_no_fact_and_names_are_words(parse: Parse) -> None:
    assert properties(parse(LAYOUT)) == [
        "last reviewed on: 2026-03-19",
        "date approved: 8/19/2026",
        "description: Read the list & sail.",
        "keywords: boats",
    ]


def test_a_page_that_moved_stands_for_the_other(parse: Parse) -> None:
    page = parse("---\ntitle: Old\nlayout: redirect\nredirect_to: /docs/new/#part\n---\n\n")
    assert (page.leads_to, page.document.text) == ("/docs/new/#part", "")


def test_a_header_without_fences_is_read(parse: Parse) -> None:
    page = parse(
        "Title:   Harbour Board\nlicense: https://example.org/L-2.0\nNotice:  Given to all,\n"
        "         as is.\n\nThe board meets.\n"
    )
    assert page.document.title == "Harbour Board"
    assert page.document.text.startswith("The board meets.\n\nProperties")
    assert properties(page) == [
        "license: https://example.org/L-2.0",
        "Notice: Given to all, as is.",
    ]
    origin = page.document.origin
    assert origin is not None
    assert origin.at(0).number == 6
    assert origin.at(page.document.text.index("Given")).number == 3


@pytest.mark.parametrize(
    "text", ["Note: the keel is wet.\n\nText.", "Title: one\nand prose.\n\nText.", "Ports: 80\n"]
)
def test_prose_with_a_colon_is_no_header(parse: Parse, text: str) -> None:
    page = parse(text)
    assert page.document.title == "note"
    assert page.document.text.startswith(text.partition(":")[0] + ": ")


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: Q&amp;A on <em>keels</em>", "Q&A on keels"),
        ("title: The `oar` command", "The oar command"),
        ("title: my_keel_name", "my_keel_name"),
        ("title: '{{ page.name }}'", "Boats"),
        ("name: Rowing boats", "Boats"),
    ],
)
def test_titles_are_read_as_they_are_shown(parse: Parse, front: str, title: str) -> None:
    assert parse(f"---\n{front}\n---\n\n# Boats\n\nText.").document.title == title


def test_a_heading_of_a_template_is_filled_in_or_left_out(parse: Parse) -> None:
    filled = parse("Title: Board\n\n# {{title}}\n\nText by {{ page.author }}.\n")
    assert filled.document.title == "Board"
    assert filled.document.text == "Text by page author."
    assert parse("# {{ site.name }}\n\nText.", "crew.md").document.title == "crew"
    known = parse("---\nauthor: Ann\n---\n\nText by {{ page.author }}.\n\n<p>{{ author }}</p>")
    assert known.document.text.startswith("Text by Ann.\n\nAnn")


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("state_name: Zeeland\nstate_code: ze", "Zeeland"),
        ("meta_title: Rivers of Zeeland", "Rivers of Zeeland"),
        ("author_name: Ann", "ze"),
    ],
)
def test_without_title_and_heading_another_name_is_one(
    parse: Parse, front: str, title: str
) -> None:
    assert parse(f"---\n{front}\n---\n\nText.", "ze.md").document.title == title
