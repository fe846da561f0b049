"""AsciiDoc as a page."""

from __future__ import annotations

import pytest

from lacuna.corpus.formats.asciidoc import parse_asciidoc
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.store import Skipped


def page_of(text: str, name: str = "guide/setup.adoc") -> Page:
    (page,) = parse_asciidoc(Entry(name, text.encode()))
    assert isinstance(page, Page)
    return page


def text_of(text: str) -> str:
    return page_of(text).document.text


def links_of(page: Page) -> list[tuple[str, str, LinkKind]]:
    return [(page.document.text[a.start : a.end], a.target, a.kind) for a in page.links]


@pytest.mark.parametrize(
    "text",
    [
        "= Ferries\n\nOld.\n\n[[b]]\n== Boats\n\nMany.\n",
        "Ferries\n=======\n\nOld.\n\n[#b]\nBoats\n-----\n\nMany.\n",
    ],
)
def test_title_sections_labels_and_anchors(text: str) -> None:
    page = page_of(text)
    assert page.document.title == "Ferries"
    assert page.document.text == "Old.\n\nBoats\n\nMany."
    assert page.document.sections[-1].path == ("Ferries", "Boats")
    assert page.labels == (("b", "b"),)
    assert page.document.origin is not None
    assert {name for _, name in page.document.origin.anchors} == {"_boats", "b"}


def test_every_line_knows_where_it_stands() -> None:
    page = page_of("= Ferries\n\nThe *old\nboat* sails\n\n* at\n* dawn\n\n----\ncode\n----\n")
    origin, text = page.document.origin, page.document.text
    assert origin is not None
    lines = [origin.at(text.index(word)).number for word in ("old", "boat", "at\n", "dawn", "code")]
    assert lines == [3, 4, 6, 7, 10]


def test_references_lead_where_they_are_written_to() -> None:
    page = page_of(
        "See <<b>>, <<other,there>>, xref:sea.adoc#deep[the sea], https://a.org[web],\n"
        "link:b.html[file] and linkgit:git-log[1].\n\n[[b]]\n== Boats\n\nMany.\n"
    )
    assert links_of(page) == [
        ("Boats", "#b", LinkKind.PATH),
        ("there", "other", LinkKind.LABEL),
        ("the sea", "sea.adoc#deep", LinkKind.PATH),
        ("web", "https://a.org", LinkKind.PATH),
        ("file", "b.html", LinkKind.PATH),
        ("git-log(1)", "git-log", LinkKind.NAME),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*b* _e_ `c` #m# **x**y", "b e c m xy"),
        ("snake_case_name 2*3*4", "snake_case_name 2*3*4"),
        ("`a_b_c` +*x*+ \\*y*", "a_b_c *x* *y*"),
        ("H~2~O x^2^ 1^st^ &emsp;&#65; &nobody;", "H2O x² 1st A &nobody;"),
        ("kbd:[Ctrl] menu:File[Save]", "Ctrl File › Save"),
        ("a footnote:[Said so.] b", "a b\n\nSaid so."),
        ("image:a.png[A boat,20]", "A boat"),
        ("NOTE: Mind.", "Note: Mind."),
        ("[WARNING]\n====\nMind.\n\nMore.\n====", "Warning: Mind.\n\nMore."),
        (":wind: strong\n\nA {wind} {nobody}.", "A strong {nobody}."),
        ("* a\n** b\n* c\n\nd", "a\nb\nc\n\nd"),
        ("keel:: Below.\nmast::\n\n\tAbove.\n+\nMore.", "keel: Below.\nmast: Above.\n\nMore."),
        ("-a::\n--all::\n\tAll.", "-a, --all: All."),
        ("* [x] a\n* [ ] b", "[done] a\n[to do] b"),
        (
            "[source,c]\n----\nif (a)\n  b; // <1>\n----\n<1> note",
            "if (a)\n  b; // <1>\n\n<1> note",
        ),
        (".Title\n----\ncode\n----", "Title\n\ncode"),
        ("////\nhidden\n////\nText.\n// gone", "Text."),
        ("ifdef::a[]\nKept.\nendif::[]\nToo.", "Kept.\n\nToo."),
        ("image::a.png[A boat]", "A boat"),
        ("[quote, Ann]\nSail.", "Sail. — Ann"),
        ("++++\n<b>\n++++\nText.", "Text."),
        ("= T\nAnn Lee <a@b.org>\n\nText.", "Text.\n\nProperties\n\nauthor: Ann Lee <a@b.org>"),
    ],
)
def test_what_is_shown(written: str, shown: str) -> None:
    assert text_of(written + "\n") == shown


@pytest.mark.parametrize(
    "table",
    [
        "|===\n|Plan |Price\n\n|Gold |$20\n|Tin |$5\n|===",
        '[%header,cols="1,1"]\n|===\n|Plan\n|Price\n|Gold\n|$20\n|Tin\n|$5\n|===',
        "[options=header]\n,===\nPlan,Price\nGold,$20\nTin,$5\n,===",
    ],
)
def test_tables_name_their_columns(table: str) -> None:
    assert text_of(table) == "Plan: Gold | Price: $20\nPlan: Tin | Price: $5"


def test_cells_may_span() -> None:
    table = "[cols=3*]\n|===\n|a .2+|b |c\n|d |e\n2+|f |g\n|==="
    assert text_of(table) == "a | b | c\nd | b | e\nf | g"


def test_an_include_is_a_link() -> None:
    assert links_of(page_of("include::part/a.adoc[]\n")) == [("a", "part/a.adoc", LinkKind.PATH)]


@pytest.mark.parametrize(
    ("text", "title", "shown"),
    [
        ("// a\n[[s]]\n== Sails{plus}\n\nOld.\n\n=== Sheets\n\nNew.\n", "Sails+",
         "Old.\n\nSheets\n\nNew."),
        ("Before.\n\n----\n# no heading\n----\n\n=== Sails\n\nOld.\n", "Sails",
         "Before.\n\n# no heading\n\nSails\n\nOld."),
        ("No heading.\n", "old sails", "No heading."),
    ],
)  # fmt: skip
def test_a_page_without_a_title_is_called_by_its_first_heading(
    text: str, title: str, shown: str
) -> None:
    page = page_of(text, "guide/old-sails.adoc")
    assert (page.document.title, page.document.text) == (title, shown)


def test_blocks_in_a_cell_leave_their_words_alone() -> None:
    table = """[cols="1,2",%autowidth]
|===
|Task |How

|List *all* sails.
a|
[source,console]
----
$ sail - <name> *.cloth
----

|Rig
a|
.The rig
image::rig.png[alt="The rig",width="80%"]
* Mast
* Two
  booms; long
. Keel.
. Hull

|[OK]
a|
[NOTE]
====
Mind
====

So far
|===
"""
    page = page_of(table)
    assert page.document.text == (
        "Task: List all sails. | How: $ sail - <name> *.cloth\n"
        "Task: Rig | How: The rig Mast; Two booms; long; Keel. Hull\n"
        "Task: [OK] | How: Mind; So far"
    )
    assert [picture.target for picture in page.document.pictures] == ["rig.png"]


def test_a_quote_that_is_missing_in_attributes_costs_nothing_else() -> None:
    table = '[cols="1,2, options="header"]\n|===\n|Plan | Price\n|Gold\n|$20\n|===\n'
    assert text_of(table) == "Plan: Gold | Price: $20"
    assert text_of('image::a.jpg[alt="A boat,width="70%"]\n') == "A boat"
    assert text_of('image::a.jpg[alt="A boat, old",width="70%"]\n') == "A boat, old"


def test_words_that_a_picture_has_above_it_are_not_said_again() -> None:
    assert text_of('.The boat\nimage::a.jpg[alt="The boat"]\n\nOld.\n') == "The boat\n\nOld."
    assert text_of(".The boat\nimage::a.jpg[Seen at dawn]\n") == "The boat\n\nSeen at dawn"
    assert text_of("video::Xq1[youtube,width=80%]\n\nOld.\n") == "Old."


def test_files_that_give_nothing_say_why() -> None:
    assert list(parse_asciidoc(Entry("a.adoc", b"// a comment\n"))) == [
        Skipped("a.adoc", "it has no text")
    ]
