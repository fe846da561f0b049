"""HTML inside Markdown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.page import Page

Parse = Callable[..., Page]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p align=center>One<br>two &amp; three</p>", "One\ntwo & three"),
        ("<details>\n<summary>More</summary>\n\nIn *it*.\n\n</details>", "More\n\nIn it."),
        ("<ul><li>one</li><li>two</li></ul>\n\nEnd.", "one\ntwo\n\nEnd."),
        ("<pre>\na\n  b\n</pre>", "a\n  b"),
        ("<script>\nno\n\nno\n</script>\n\n<style>no</style>\n\nYes.", "Yes."),
        ("A <kbd>Ctrl</kbd>+<kbd>C</kbd> <!-- no --> b.", "A Ctrl+C b."),
        ("Call <your-name> at <x>home</x>.", "Call <your-name> at home."),
        ("Vec<T>, a < b, <T> or 1<2>0", "Vec<T>, a < b, or 1<2>0"),
        (
            '<Listing number="2-1" file-name="src/main.rs" caption="A guess">\n\n'
            "```rust\nlet x;\n```\n\n</Listing>",
            "Listing 2-1: A guess. File name: src/main.rs\n\nlet x;",
        ),
        (
            "<table><tr><th>Plan</th><th>Price</th></tr>\n"
            "<tr><td>Gold</td><td><b>$20</b></td></tr></table>",
            "Plan: Gold | Price: $20",
        ),
        (
            "<table>\n<tr>\n<td>\n\n**a**\n\n</td>\n<td>b</td>\n</tr>\n</table>\n\nEnd.",
            "a | b\n\nEnd.",
        ),
        (
            "<table><tr><th>Tinder</th><th>Fuel</th></tr>\n<tr><td>\n<ul>\n<li>Bark</li>\n"
            "<li>Dry <b>moss</b></li>\n</ul>\n</td><td>Logs</td></tr></table>",
            "Tinder: Bark; Dry moss | Fuel: Logs",
        ),
        ("<table><tr><td>never closed\n\n## Next\n\nText.", "never closed\n\nNext\n\nText."),
        ("<!--\n\n# no\n\n-->\n\nText.", "Text."),
        ('<img src="a.png" alt="The quay">', "The quay"),
    ],
)
def test_html_is_read_as_a_browser_shows_it(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


def test_links_anchors_and_headings_of_html(parse: Parse) -> None:
    page = parse(
        'See <a href="a.md">the *a*</a>.\n\n<div id="d">\n<a href="b.md">b</a>\n</div>\n\n'
        '<h2 id="h">Head</h2>\n\n<a href="open.md">open\n\nText.'
    )
    text = page.document.text
    assert [(text[link.start : link.end], link.target) for link in page.links] == [
        ("the a", "a.md"),
        ("b", "b.md"),
        ("open", "open.md"),
    ]
    assert page.document.sections[-1].path == ("note", "Head")
    origin = page.document.origin
    assert origin is not None
    assert [name for _, name in origin.anchors] == ["d", "h"]
