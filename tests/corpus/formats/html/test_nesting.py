"""Pages that would take a parser for ever are read, with all their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus.formats.html.html_pages import page_of, text_of

from lacuna.corpus.formats.html_main import DEEPEST, MOST_ATTRIBUTES, MOST_FORMATS, tamed

MANY = 80_000


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>" * MANY + "deep", "deep"),
        ("</b>" * MANY + "<div>" * MANY + "deep", "deep"),
        ("<div></b>" * MANY + "deep", "deep"),
        ("<div><!-- </div> -->" * MANY + "deep", "deep"),
        ('<div title="</div>">' * MANY + "deep", "deep"),
        ("<select>" + "<option>One" * MANY + "</select>deep", "deep"),
        ("<p " + " ".join(f"a{n}=1" for n in range(300_000)) + ">deep", "deep"),
        ("".join(f"<div><b id={n}></div>" for n in range(10_000)) + "deep", "deep"),
        ("<svg>" + "<g>" * MANY + "</svg>deep", "deep"),
        ("<table><tr><td>" * MANY + "deep", "deep"),
        ("<!-- " * MANY, ""),
        ('<a href="' * MANY, ""),
    ],
)
def test_hostile_pages_are_read(html: str, text: str) -> None:
    if text:
        assert text_of(html) == text
    assert len(tamed(html)) <= len(html) + 2 * MANY


@pytest.mark.parametrize("drawn", ["<path d='M0 0'/>", "<rect/>", "<circle></circle>"])
def test_drawings_with_many_parts_are_not_nested_deeply(drawn: str) -> None:
    drawing = f"<svg>{drawn * 3000}</svg>"
    told = "<h2>Syntax</h2><p>It selects rows.<table><tr><th>A<td>1</table>"
    html = f"<title>Rows</title><div>{drawing}{told}</div>"
    assert tamed(html) == html
    assert text_of(html) == "Syntax\n\nIt selects rows.\n\nA: 1"


def test_structure_is_kept_where_formats_are_never_closed() -> None:
    cells = "<tr><td><font color=red>one<td><font>two" * 500
    html = f"<table>{cells}</table><h2>Then</h2><p>End."
    assert [section.path[-1] for section in page_of(html).document.sections[1:]] == ["Then"]


def test_options_outside_of_a_closed_list_keep_the_page() -> None:
    assert text_of("<p>One <select><option>two<p>three") == "One two\n\nthree"


def test_attributes_that_matter_come_first_and_stay() -> None:
    many = " ".join(f"a{n}=1" for n in range(30_000))
    page = page_of(f'<p>Some words here <a href="x.html" {many}>more</a>')
    assert [link.target for link in page.links] == ["x.html"]
    assert tamed(f"<p {many}>").count("=") <= MOST_ATTRIBUTES


@given(st.integers(1, 2 * DEEPEST))
def test_what_is_not_nested_too_deeply_is_not_touched(depth: int) -> None:
    html = "<div>" * depth + "x" + "</div>" * depth
    assert (tamed(html) == html) == (depth <= DEEPEST)
    formats = "<b>" * depth + "x" + "</b>" * depth
    assert (tamed(formats) == formats) == (depth <= MOST_FORMATS)


@given(st.text(alphabet="<>/!-?ab=\"' \ndivsel", max_size=200))
def test_any_text_is_tamed_without_losing_what_stands_outside_of_tags(html: str) -> None:
    again = tamed(html)
    assert tamed(again) == again
    assert len(again) <= len(html)
