"""Where the links of a set of pages lead, however they are written."""

from __future__ import annotations

import pytest

from lacuna.corpus.page import LinkKind, WrittenLink
from lacuna.corpus.page_links import LinkEnd, PageName, PageNames

PAGES = [
    PageName("index.md", "index.md", "Home"),
    PageName("guide/_index.md", "guide/_index.md", "Guide"),
    PageName("guide/Set up.md", "guide/Set up.md", "Setting up", ("Install", "/docs/setup/")),
    PageName("guide/tools.rst", "guide/tools.rst", "Tools", labels=(("my tools", "tools-1"),)),
    PageName("content/posts/first.md", "content/posts/first.md", "First post"),
    PageName("api/v1.2.html", "api/v1.2.html", "Version 1.2"),
    PageName("book.epub#text/one.xhtml", "book.epub", "One"),
    PageName("book.epub#text/two.xhtml", "book.epub", "Two"),
    PageName("C%23.html", "C%23.html", "C#"),
    PageName("guide/mend-a-sail.md", "guide/mend-a-sail.md", "Mending", ("sail-mending",)),
]
SUFFIXES = (".md", ".html", ".rst", ".epub", ".htm")
FILES = {"guide/data.bin"}


@pytest.fixture
def names() -> PageNames:
    return PageNames(PAGES, suffixes=SUFFIXES, files=FILES.__contains__)


def ends(names: PageNames, page: str, target: str, kind: LinkKind) -> tuple[LinkEnd, str, str]:
    name = next(name for name in PAGES if name.path == page)
    link = names.resolve(name, WrittenLink(0, 1, target, kind))
    return link.end, link.title, link.fragment


@pytest.mark.parametrize(
    ("page", "href", "title", "fragment"),
    [
        ("index.md", "guide/Set%20up.md", "Setting up", ""),
        ("index.md", "guide/set up", "Setting up", ""),
        ("index.md", "./guide/", "Guide", ""),
        ("index.md", "guide", "Guide", ""),
        ("index.md", "guide/index.html", "Guide", ""),
        ("guide/Set up.md", "tools.rst#the_hammer", "Tools", "the hammer"),
        ("guide/Set up.md", "tools.html?x=1", "Tools", ""),
        ("guide/Set up.md", "../index.md", "Home", ""),
        ("guide/Set up.md", "..", "Home", ""),
        ("guide/Set up.md", "../tools", "Tools", ""),
        ("guide/tools.rst", "/docs/setup/", "Setting up", ""),
        ("guide/tools.rst", "/posts/first/", "First post", ""),
        ("guide/tools.rst", "/guide/tools", "Tools", ""),
        ("index.md", "api/v1.2", "Version 1.2", ""),
        ("index.md", "book.epub#text/two.xhtml#p3", "Two", "p3"),
        ("index.md", "C%23.html", "C#", ""),
        ("index.md", "/help/current/guide/tools.md#saw", "Tools", "saw"),
        ("index.md", "/help/mend-a-sail", "Mending", ""),
        ("index.md", "old/mend-a-sail.html", "Mending", ""),
        ("guide/tools.rst", "sail-mending", "Mending", ""),
    ],
)
def test_paths(names: PageNames, page: str, href: str, title: str, fragment: str) -> None:
    assert ends(names, page, href, LinkKind.PATH) == (LinkEnd.PAGE, title, fragment)


@pytest.mark.parametrize(
    ("href", "end", "title"),
    [
        ("https://example.org/guide/tools.rst", LinkEnd.OUTSIDE, None),
        ("mailto:someone@example.org", LinkEnd.OUTSIDE, None),
        ("//example.org/x", LinkEnd.OUTSIDE, None),
        ("../../elsewhere.md", LinkEnd.OUTSIDE, None),
        ("#part", LinkEnd.SAME_PAGE, "Setting up"),
        ("gone_page.md", LinkEnd.MISSING, "gone page"),
        ("picture.png", LinkEnd.FILE, None),
        ("data.bin", LinkEnd.FILE, None),
        ("ferry.jpg.htm", LinkEnd.FILE, None),
    ],
)
def test_paths_that_lead_to_no_page(
    names: PageNames, href: str, end: LinkEnd, title: str | None
) -> None:
    found = ends(names, "guide/Set up.md", href, LinkKind.PATH)
    assert found[0] is end
    if title is not None:
        assert found[1] == title


@pytest.mark.parametrize(
    ("written", "title", "fragment"),
    [
        ("Setting up", "Setting up", ""),
        ("setting UP#^block", "Setting up", "block"),
        ("install", "Setting up", ""),
        ("Set up.md", "Setting up", ""),
        ("guide/Set_up", "Setting up", ""),
        ("tools#Hammer", "Tools", "Hammer"),
    ],
)
def test_names(names: PageNames, written: str, title: str, fragment: str) -> None:
    assert ends(names, "index.md", written, LinkKind.NAME) == (LinkEnd.PAGE, title, fragment)


def test_names_that_nobody_has(names: PageNames) -> None:
    assert ends(names, "index.md", "Some note", LinkKind.NAME)[:2] == (
        LinkEnd.MISSING,
        "Some note",
    )
    assert ends(names, "index.md", "chart.png", LinkKind.NAME)[0] is LinkEnd.FILE
    assert ends(names, "index.md", "#part", LinkKind.NAME)[0] is LinkEnd.SAME_PAGE


def test_labels_and_titles(names: PageNames) -> None:
    assert ends(names, "index.md", "My  Tools", LinkKind.LABEL) == (
        LinkEnd.PAGE,
        "Tools",
        "tools-1",
    )
    assert ends(names, "index.md", "other", LinkKind.LABEL)[0] is LinkEnd.MISSING
    assert ends(names, "index.md", "C#", LinkKind.TITLE) == (LinkEnd.PAGE, "C#", "")


def test_the_name_nearest_to_the_root_wins() -> None:
    names = PageNames(
        [PageName("deep/down/a.md", "deep/down/a.md", "x"), PageName("a.md", "a.md", "y")],
        suffixes=SUFFIXES,
    )
    link = names.resolve(PageName("b.md", "b.md", "z"), WrittenLink(0, 1, "a", LinkKind.NAME))
    assert link.title == "y"


def test_other_names_lead_to_one_page_each(names: PageNames) -> None:
    aliases = [alias for page in PAGES for alias in names.aliases(page)]
    assert len(aliases) == len(set(aliases))
    assert "Install" in aliases
    assert {"guide/Set up", "Set up", "first"} <= set(aliases)
    assert not set(aliases) & set(names.titles.values())


def test_pages_that_only_lead_on_stand_for_where_they_lead() -> None:
    pages = [
        PageName("a.html", "a.html", "A"),
        PageName("old/x.html", "old/x.html", "x", leads_to="../a.html#part"),
        PageName("y.html", "y.html", "y", leads_to="old/x.html"),
        PageName("loop.html", "loop.html", "loop", leads_to="loop.html"),
        PageName("self.html", "self.html", "self", leads_to="#here"),
        PageName("away.html", "away.html", "away", leads_to="https://example.org/"),
    ]
    names = PageNames(pages, suffixes=SUFFIXES)
    assert [page.path for page in names] == ["a.html"]
    ends = [names.resolve(pages[0], WrittenLink(0, 1, page.file)).end for page in pages]
    assert ends == [LinkEnd.PAGE] * 3 + [LinkEnd.MISSING] * 3
    assert names.resolve(pages[0], WrittenLink(0, 1, "y.html")).title == "A"
