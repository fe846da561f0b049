"""The frames of pages are left out, and what they say never is."""

from __future__ import annotations

import pytest
from tests.corpus.formats.html.html_pages import text_of

TEXT = "<p>The ferry crosses the river every day but Sunday."


@pytest.mark.parametrize(
    "frame",
    [
        "<nav>{}</nav>",
        '<div role="navigation">{}</div>',
        '<div class="related">{}</div>',
        '<div class="sphinxsidebar">{}</div>',
        '<div class="navheader">{}</div>',
        '<ul class="docnav">{}</ul>',
        '<div class="md-sidebar">{}</div>',
        '<div class="nav-wrapper">{}</div>',
        '<div class="pagination-nav">{}</div>',
        '<div class="theme-doc-breadcrumbs">{}</div>',
        '<div class="topNav">{}</div>',
        '<div id="catlinks">{}</div>',
        '<div id="breadcrumb-section">{}</div>',
        '<div class="header"><p>Next: {}</p></div>',
        '<div class="left-sidebar">{}</div>',
        '<div id="gtoc">{}</div>',
        "<footer>{}</footer>",
        '<p class="skip-links">{}</p>',
        '<span class="sr-only">{}</span>',
        "<button>{}</button>",
    ],
)
def test_bars_are_left_out(frame: str) -> None:
    bar = frame.format('<a href="a.html">Next page</a> <a href="b.html">Home</a>')
    assert text_of(f"{bar}{TEXT}{bar}") == TEXT.removeprefix("<p>")


def test_what_stands_above_the_title_is_the_sites() -> None:
    way = '<p><a href="/">Home</a> » <a href="/b">Boats</a>'
    assert text_of(f"<header>The Port</header>{way}<h1>Ferry</h1>{TEXT}").startswith("The ferry")


@pytest.mark.parametrize("mark", ["¶", "#", "§", "🔗"])
def test_marks_of_headings_are_left_out(mark: str) -> None:
    assert text_of(f'<h1>T</h1><h2>Ways<a href="#w">{mark}</a></h2>x') == "Ways\n\nx"


def test_a_box_named_like_a_bar_with_text_of_its_own_is_text() -> None:
    box = '<div class="sidebar">Tickets cost 3 dollars, see <a href="t.html">prices</a>.</div>'
    assert "Tickets cost 3 dollars" in text_of(TEXT + box)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="related">{}</div>',  # a name that a page maker uses for bars
        '<main><p>Loading</main><div class="app">{}</div>',  # a main part without the text
        '<div id="content"><h1>T</h1></div><div>{}</div>',
    ],
)
def test_a_page_whose_text_seems_to_be_its_frame_is_read_whole(html: str) -> None:
    words = "The ferry crosses the river every day but Sunday. " * 30
    assert text_of(html.format(words)).count("Sunday") == 30


def test_a_long_menu_does_not_make_a_short_page_too_short() -> None:
    menu = "".join(f'<li><a href="{n}.html">Page number {n} of the site</a>' for n in range(500))
    html = f'<ul class="menu">{menu}</ul><main>{TEXT}</main>'
    assert text_of(html) == TEXT.removeprefix("<p>")


def test_asciidoc_has_its_name_beside_the_content() -> None:
    html = (
        '<body class="manpage"><div id="header"><h1>ferry(1)</h1><h2>NAME</h2><p>ferry - sail</p>'
        f'</div><div id="content"><h2>USE</h2>{TEXT}</div><div id="footer">Updated</div>'
    )
    assert text_of(html) == f"NAME\n\nferry - sail\n\nUSE\n\n{TEXT.removeprefix('<p>')}"


def test_lists_of_links_stay_where_the_title_stands_outside_of_the_main_part() -> None:
    names = "".join(f'<li><a href="{name}.html">{name}</a>' for name in ("Bonn", "Rome"))
    html = f'<h1 class="firstHeading">Oslo</h1><div id="bodyContent">{TEXT}<ul>{names}</ul></div>'
    assert text_of(html).endswith("Bonn\nRome")
