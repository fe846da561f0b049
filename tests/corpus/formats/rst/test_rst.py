"""reStructuredText with Sphinx's roles and directives, as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.rst import parse_rst
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.store import Skipped
from lacuna.types import Document


def page_of(text: str, name: str = "guide/setup.rst") -> Page:
    (page,) = parse_rst(Entry(name, text.encode()))
    assert isinstance(page, Page)
    return page


def text_of(text: str) -> str:
    return page_of(text).document.text


def links_of(page: Page) -> list[tuple[str, str, LinkKind]]:
    return [(page.document.text[a.start : a.end], a.target, a.kind) for a in page.links]


def test_title_sections_labels_and_anchors() -> None:
    page = page_of(".. _top:\n\nFerries\n=======\n\nOld.\n\n.. _boats:\n\nBoats\n-----\n\nMany.\n")
    assert page.document.title == "Ferries"
    assert page.document.text == "Old.\n\nBoats\n\nMany."
    assert [section.path for section in page.document.sections] == [
        ("Ferries",),
        ("Ferries", "Boats"),
    ]
    assert page.labels == (("top", "top"), ("boats", "boats"))
    assert page.document.origin is not None
    assert "boats" in {name for _, name in page.document.origin.anchors}


def test_every_line_knows_where_it_stands() -> None:
    page = page_of("Ferries\n=======\n\nThe *old\nboat* sails\n\n- at\n- dawn\n")
    origin = page.document.origin
    assert origin is not None
    text = page.document.text
    lines = {word: origin.at(text.index(word)).number for word in ("old", "boat", "at\n", "dawn")}
    assert lines == {"old": 4, "boat": 5, "at\n": 7, "dawn": 8}


def test_references_lead_where_they_are_written_to() -> None:
    page = page_of(
        "See :ref:`the boats <boats>`, :ref:`here`, :doc:`/guide/sea`, :doc:`Sea </sea>`,\n"
        ":term:`Keel`, `web <https://a.org>`_, named_, nameless__ and :pep:`8`.\n\n"
        ".. _named: b.html\n__ c.html\n\n.. _here:\n\nA heading\n=========\n\nText.\n"
    )
    assert links_of(page) == [
        ("the boats", "boats", LinkKind.LABEL),
        ("A heading", "here", LinkKind.LABEL),
        ("sea", "/guide/sea", LinkKind.PATH),
        ("Sea", "/sea", LinkKind.PATH),
        ("Keel", "term:keel", LinkKind.LABEL),
        ("web", "https://a.org", LinkKind.PATH),
        ("named", "b.html", LinkKind.PATH),
        ("nameless", "c.html", LinkKind.PATH),
        ("PEP 8", "https://peps.python.org/pep-0008/", LinkKind.PATH),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (":func:`~os.path.join`", "join()"),
        (":class:`!Boat`", "Boat"),
        (":meth:`Boat.sail`", "Boat.sail()"),
        (":py:mod:`the module <os>`", "the module"),
        (":file:`/usr/{name}/x`", "/usr/name/x"),
        (":menuselection:`File --> Save`", "File › Save"),
        (":guilabel:`&Cancel`", "Cancel"),
        (":abbr:`LIFO (last in, first out)`", "LIFO (last in, first out)"),
        (":nobody:`knows`", "knows"),
        ("|sail| and |wind|", "a sheet of cloth and wind"),
        ("**b** *e* ``c`` `t`", "b e c t"),
        ("word [1]_. Next", "word. Next"),
        (r"512\*1024 sail\ s", "512*1024 sails"),
        ("|tide_table| of :ref:`low-water_marks`", "tide table of low water marks"),
    ],
)
def test_what_roles_and_marks_show(written: str, shown: str) -> None:
    text = f"{written}\n\n.. |sail| replace:: a *sheet* of cloth\n"
    assert text_of(text) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (".. note:: Mind\n   the gap.", "Note: Mind the gap."),
        (".. admonition:: Look\n\n   Here.", "Look: Here."),
        (".. versionadded:: 3.2\n   The sail.", "New in version 3.2: The sail."),
        (".. deprecated:: 3.2", "Deprecated since version 3.2"),
        (".. seealso:: The sea.", "See also: The sea."),
        (".. py:function:: sail(to)\n\n   Go there.", "sail(to)\nGo there."),
        (".. class:: Boat(name)", "class Boat(name)"),
        (".. code-block:: python\n   :nobody: knows\n\n   if a:\n       b", "if a:\n    b"),
        (".. index:: boat\n\nText.", "Text."),
        (".. image:: a.png\n   :alt: A boat", "A boat"),
        (".. figure:: a.png\n\n   A caption.", "A caption."),
        (".. unheard-of:: Of this\n\n   And that.", "Of this\n\nAnd that."),
        (".. only:: html\n\n   Kept.", "Kept."),
        (".. only:: html\n\n   A table.\n\n.. only:: latex\n\n   A list.", "A table."),
        (".. only:: not html or (man)\n\n   Kept.", "Kept."),
        (".. only:: not html\n\n   Gone.\n\nText.", "Text."),
        (".. only:: harbour and epub\n\n   Gone.\n\nText.", "Text."),
        (".. only:: harbour\n\n   Kept.", "Kept."),
        (".. glossary::\n\n   keel\n   spine\n      Below.\n\n   mast\n      Above.",
         "keel, spine: Below.\nmast: Above."),
        ("keel\n   Below.", "keel: Below."),
        (":a: b\n\nText.\n\n:Depth: low", "Text.\n\nDepth: low\n\nProperties\n\na: b"),
        ("-v  be loud", "-v: be loud"),
        ("| one\n| two", "one\ntwo"),
        ("- a\n\n  - b\n- c\n\nd", "a\nb\nc\n\nd"),
        (".. raw:: html\n\n   <b>\n\nText.", "Text."),
        (".. raw:: html\n\n   <script>sail()</script>\n\nText.", "Text."),
        (".. tip::\n   .. raw:: html\n\n      Tides <i>every</i> day. <a>Get them</a>.",
         "Tip: Tides every day. Get them."),
        (".. raw:: latex\n\n   Ink\n\nText.", "Text."),
        (".. nwdiag::\n   :caption: The harbour\n\n   quay [label=\"Old\\nquay\"];\n\nText.",
         "The harbour\n\nText."),
        (".. toctree::\n   :hidden:\n\n   intro\n\nText.", "Text."),
        (".. a comment\n\nText.", "Text."),
    ],
)  # fmt: skip
def test_what_blocks_show(written: str, shown: str) -> None:
    assert text_of(written + "\n") == shown


@pytest.mark.parametrize(
    "table",
    [
        "+----+-----+\n|Plan|Price|\n+====+=====+\n|Gold|$20  |\n+----+-----+\n",
        "====  =====\nPlan  Price\n====  =====\nGold  $20\n====  =====\n",
        ".. list-table::\n   :header-rows: 1\n\n"
        "   * - Plan\n     - Price\n   * - Gold\n     - $20\n",
        ".. csv-table::\n   :header: Plan, Price\n\n   Gold, $20\n",
    ],
)
def test_tables_name_their_columns(table: str) -> None:
    assert text_of(table) == "Plan: Gold | Price: $20"


def test_a_toctree_links_to_its_pages() -> None:
    page = page_of(
        ".. toctree::\n   :glob:\n   :caption: All pages\n\n   use/old-boats_two\n   tides/index\n"
        "   The sea <sea/index>\n   old/*\n"
    )
    assert page.document.text == "All pages\n\nold boats two\ntides\nThe sea"
    assert links_of(page) == [
        ("old boats two", "use/old-boats_two", LinkKind.PATH),
        ("tides", "tides/index", LinkKind.PATH),
        ("The sea", "sea/index", LinkKind.PATH),
    ]


def test_a_page_is_called_by_its_first_heading_whatever_stands_before_it() -> None:
    words = ".. spelling:word-list::\n    yyyy\n\n"
    assert page_of(f"{words}Sails\n=====\n\nOld.\n").document.title == "Sails"
    assert text_of(f"{words}Sails\n=====\n\nOld.\n") == "Old."
    page = page_of("A word before.\n\nSails\n=====\n\nOld.\n")
    assert page.document.title == "Sails"
    assert page.document.text == "A word before.\n\nSails\n\nOld."
    inside = ".. only:: html\n\n   .. _sails:\n\n   Sails\n   -----\n\n   Old.\n"
    assert page_of(inside).document.title == "Sails"


def test_messages_of_docutils_are_no_text() -> None:
    cell = "`Fixes <https://{}.org/fixes>`_"
    one, two = cell.format("a"), cell.format("b")
    table = f".. list-table::\n\n   * - A\n     - {one}\n   * - B\n     - {two}\n"
    assert text_of(table) == "A | Fixes\nB | Fixes"


def test_an_included_file_is_a_page_of_its_own() -> None:
    page = page_of("Sail\n====\n\n.. include:: sail-away.rst.inc\n\nExamples\n--------\n\nMany.\n")
    assert links_of(page) == [("sail away", "sail-away.rst.inc", LinkKind.PATH)]
    (included,) = parse_rst(
        Entry("sail-away.rst.inc", b".. _away:\n\nSail away\n---------\n\nGo.\n")
    )
    assert isinstance(included, Page)
    assert (included.document.title, included.document.text) == ("Sail away", "Go.")
    assert page_of("Go.\n", "guide/sail.rst.inc").document.title == "sail"


def test_a_page_that_only_includes_another_is_a_name_for_it() -> None:
    page = page_of(".. a comment\n\n.. include:: sail.rst.inc\n", "use/sail.rst")
    assert page.leads_to == "sail.rst.inc"
    assert not page_of(".. include:: a.inc\n\n.. include:: b.inc\n").leads_to


def test_links_to_such_a_page_lead_to_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "use").mkdir()
    (tmp_path / "index.rst").write_text("Guide\n=====\n\nSee :doc:`use/sail`.\n")
    (tmp_path / "use/sail.rst").write_text(".. include:: sail.rst.inc\n")
    (tmp_path / "use/sail.rst.inc").write_text("Sail away\n---------\n\nGo.\n")
    found = list(open_source(tmp_path))
    documents = {item.title: item for item in found if isinstance(item, Document)}
    assert documents.keys() == {"Guide", "Sail away"}
    assert [link.target for link in documents["Guide"].links] == ["Sail away"]


@pytest.mark.parametrize("code", ["<?php\n$a = 1;\n", "; registers\n", "// a\n", "# a\nb=1\n"])
def test_an_inc_file_of_code_is_skipped(code: str) -> None:
    assert list(parse_rst(Entry("a.inc", code.encode()))) == [
        Skipped("a.inc", "it is code, not reStructuredText")
    ]


def test_files_are_not_opened_and_other_documents_not_changed() -> None:
    page = page_of(".. include:: /etc/hostname.txt\n\n.. csv-table::\n   :file: /etc/passwd\n")
    assert page.document.text == "hostname\n\n/etc/passwd"
    page_of(".. role:: func(strong)\n\n.. default-role:: nobody\n\nText.\n")
    assert text_of(":func:`a` `b`\n") == "a() b"


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join("  " * depth + "- a" for depth in range(400)),
        "+" + "--+" * 2000 + "\n|" + "a |" * 2000 + "\n+" + "--+" * 2000 + "\n",
        "- a\n\nb\n\n" * 40_000,
        "\n\n".join(["`a *b |c " * 1000] * 30),
    ],
    ids=["deep", "wide", "lists", "marks"],
)
def test_what_would_take_docutils_too_long_is_read_as_it_is(text: str) -> None:
    assert page_of(text).document.text == text


def test_what_docutils_stumbles_over_is_read_as_it_is() -> None:
    rule, other = "+--+--+--+--+\n", "+--+--+-----+\n"
    table = f"{rule}+--+--+-<+--+\n|a |b       |\n{other}{other}"
    assert page_of(table).document.text == table


def test_a_bomb_of_substitutions_stays_small() -> None:
    names = "".join(f".. |a{n}| replace:: {f'|a{n + 1}| ' * 50}\n" for n in range(10))
    assert len(text_of(names + "\n|a0|\n")) < 1_000_000


def test_files_that_give_nothing_say_why() -> None:
    assert list(parse_rst(Entry("a.rst", b".. a comment\n"))) == [
        Skipped("a.rst", "it has no text")
    ]
    assert list(parse_rst(Entry("a.rst", b"\xff\xfe"))) == [
        Skipped("a.rst", "byte 0 is not UTF-8; save the file as UTF-8")
    ]
