"""Org files as pages."""

from __future__ import annotations

import pytest

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.org import parse_org
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.store import Skipped


def page_of(text: str, name: str = "notes/boat.org") -> Page:
    (page,) = parse_org(Entry(name, text.encode()))
    assert isinstance(page, Page)
    return page


def text_of(text: str) -> str:
    return page_of(text).document.text


def links_of(page: Page) -> list[tuple[str, str, LinkKind]]:
    return [(page.document.text[a.start : a.end], a.target, a.kind) for a in page.links]


def test_title_sections_labels_and_anchors() -> None:
    page = page_of(
        "#+TITLE: Ferries\nOld.\n* Boats\n:PROPERTIES:\n:CUSTOM_ID: b\n:END:\nMany.\n"
        "** Small\nFew.\n"
    )
    assert page.document.title == "Ferries"
    assert page.document.text == "Old.\n\nBoats\n\nMany.\n\nSmall\n\nFew."
    assert page.document.sections[-1].path == ("Ferries", "Boats", "Small")
    assert page.labels == (("b", "b"),)
    assert page.document.origin is not None
    assert [name for _, name in page.document.origin.anchors] == ["b", "small"]


def test_tasks_say_what_they_are() -> None:
    text = (
        "* DONE [#A] Paint the hull [1/2] :boat:work:\n"
        "CLOSED: [2024-05-02 Thu] DEADLINE: <2024-05-03 Fri>\n"
        ":PROPERTIES:\n:Effort: 2h\n:END:\n:LOGBOOK:\nCLOCK: x\n:END:\nRed.\n"
    )
    assert text_of(text) == (
        "Paint the hull\n\nstatus: DONE\npriority: A\ntags: boat, work\n"
        "closed: 2024-05-02 Thu\ndeadline: 2024-05-03 Fri\neffort: 2h\n\nRed."
    )


def test_every_line_knows_where_it_stands() -> None:
    page = page_of("* Boats\nThe *old\nboat* sails\n- at\n- dawn\n#+begin_src c\ncode\n#+end_src\n")
    origin, text = page.document.origin, page.document.text
    assert origin is not None
    lines = [origin.at(text.index(word)).number for word in ("old", "boat", "at\n", "dawn", "code")]
    assert lines == [2, 3, 4, 5, 7]


def test_references_lead_where_they_are_written_to() -> None:
    page = page_of(
        "[[file:sea.org::*The deep][sea]] [[id:1-2][id]] [[*Big boats]] [[#b][b]] "
        "[[https://a.org][web]] [[Keel]] https://b.org. [[./a.org]] [[file:x.png]]\n"
    )
    assert links_of(page) == [
        ("sea", "sea.org#the-deep", LinkKind.PATH),
        ("id", "id:1-2", LinkKind.LABEL),
        ("Big boats", "#big-boats", LinkKind.PATH),
        ("b", "#b", LinkKind.PATH),
        ("web", "https://a.org", LinkKind.PATH),
        ("Keel", "Keel", LinkKind.NAME),
        ("https://b.org", "https://b.org", LinkKind.PATH),
        ("a.org", "./a.org", LinkKind.PATH),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*b* /e/ _u_ =c= ~d~ +s+", "b e u c d s"),
        ("a/b/c snake_case_x 2*3*4", "a/b/c snake_case_x 2*3*4"),
        ("=a *b* c=", "a *b* c"),
        ("on <2024-05-02 Thu>--<2024-05-03 Fri>", "on 2024-05-02 Thu – 2024-05-03 Fri"),
        ("said[fn:1] so[fn::Inline.]\n\n[fn:1] The note.", "said so\n\nThe note.\n\nInline."),
        ("- a\n  more\n  - b\n- c\n\nd", "a more\nb\nc\n\nd"),
        ("- [X] a\n- [ ] b", "[done] a\n[to do] b"),
        ("- keel :: Below.", "keel: Below."),
        ("| Plan | Price |\n|------+-------|\n| Gold | $20 |", "Plan: Gold | Price: $20"),
        ("| a | b |\n| c |   |", "a | b\nc"),
        ("#+begin_src c\n  if (a)\n    ,* b\n#+end_src", "if (a)\n  * b"),
        ("#+begin_quote\nSail.\n#+end_quote", "Sail."),
        ("#+begin_export html\n<b>\n#+end_export\nText.", "Text."),
        ("# gone\nText.\n* COMMENT Gone\nToo.", "Text."),
        (": fixed\n:   width", "fixed\n  width"),
        ("#+MACRO: sail to $1\n{{{sail(sea)}}} {{{kbd(C-x)}}}", "to sea C-x"),
        ("#+CAPTION: Prices\n| a |", "Prices\n\na"),
        ("#+AUTHOR: Ann\nText.", "Text.\n\nProperties\n\nauthor: Ann"),
    ],
)
def test_what_is_shown(written: str, shown: str) -> None:
    assert text_of(written + "\n") == shown


def test_a_note_of_org_roam_has_its_id_and_other_names() -> None:
    page = page_of(
        ':PROPERTIES:\n:ID: 1-2\n:ROAM_ALIASES: "Old boat" tub\n:END:\n#+title: Boat\nText.'
    )
    assert page.labels == (("id:1-2", ""),)
    assert page.names == ("Old boat", "tub")


def test_a_bare_link_means_a_heading_of_the_file_before_another_page() -> None:
    page = page_of("[[Boats]] and [[Keel]].\n* Boats\nMany.\n")
    assert [(link.target, link.kind) for link in page.links] == [
        ("#boats", LinkKind.PATH),
        ("Keel", LinkKind.NAME),
    ]


def test_an_include_is_a_link() -> None:
    assert links_of(page_of('#+INCLUDE: "part/a.org" :lines 1-3\n')) == [
        ("a.org", "part/a.org", LinkKind.PATH)
    ]


def test_files_that_give_nothing_say_why() -> None:
    assert list(parse_org(Entry("a.org", b"# a comment\n"))) == [Skipped("a.org", "it has no text")]
