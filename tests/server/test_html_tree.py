"""Pages are made of elements and text, and text is never HTML."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from lacuna.web.html_tree import el, page_text, table, whole_page

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


class Seen(HTMLParser):
    """The tags, attributes and texts that a parser finds."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXT, TEXT)
def test_any_text_comes_back_as_text(text: str, title: str) -> None:
    seen = Seen(page_text(el("p", text, el("br"), text, title=title)))
    assert seen.tags == ["p", "br"]
    assert seen.text == text + text
    assert seen.attributes == [("title", title)]


@given(TEXT, TEXT)
def test_tables_too(one: str, other: str) -> None:
    seen = Seen(page_text(table([one, "x"], [[other, one]], caption=other, marked=["pinned"])))
    assert seen.tags.count("td") == 1
    assert seen.tags.count("th") == 3
    assert "script" not in seen.tags


def test_a_whole_page() -> None:
    page = whole_page("A < B", el("p", 5, None, ["x", el("b", "y")], class_="a", hidden=False),
                      static="look/", home="/")  # fmt: skip
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert "<title>A &lt; B</title>" in page
    assert 'href="look/css/base.css"' in page
    assert 'href="look/icon.svg"' in page
    assert '<p class="a">5x<b>y</b></p>' in page
    assert "footer" not in page
    assert "script" not in page
