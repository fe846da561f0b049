"""Tables of HTML pages: data with its headings, layout as text."""

from __future__ import annotations

import pytest
from tests.corpus.formats.html.html_pages import links_of, page_of, text_of


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        ("<tr><th>Plan<th>Price<tr><td>Gold<td>$20<tr><td>Free<td>",
         "Plan: Gold | Price: $20\nPlan: Free | Price: –"),
        ("<thead><tr><td>Plan<td>Price</thead><tr><td>Gold<td>$20", "Plan: Gold | Price: $20"),
        ("<caption>Prices</caption><tr><th>Plan<td>Gold<tr><th>Price<td>$20",
         "Prices\n\nPlan: Gold\nPrice: $20"),
        ("<tr><th rowspan=2>Plan<th colspan=2>Price<tr><th>Month<th>Year<tr><td>Gold<td>2<td>20",
         "Plan: Gold | Price › Month: 2 | Price › Year: 20"),
        ("<tr><th>Plan<th>Seat<tr><td rowspan=2>Gold<td>A<tr><td>B",
         "Plan: Gold | Seat: A\nPlan: Gold | Seat: B"),
        ("<tr><td><b>Plan</b><td><b>Price</b><tr><td>Gold<td>$20", "Plan: Gold | Price: $20"),
        ("<tr><td><b>Built</b><td>1931<tr><td><b>Long:</b> <td>20 m", "Built: 1931\nLong: 20 m"),
        ("<tr><td><div>Note</div> <td>Mind the gap.", "Note: Mind the gap."),
        ("<tr><th>Area<tr><td>10<sup>6</sup> m<br>or so<tr><td>2", "Area\n10⁶ m or so\n2"),
        ("<tr><th>A<th>B<tr><td><p>one</p><p>two<td><ul><li>x<li>y</ul>", "A: one two | B: x; y"),
        ("<tr><th>A<tr><td>Wood:<ul><li>dry<li>green.<li>wet</ul>", "A\nWood: dry; green. wet"),
        # A first row of words above numbers is one of headings.
        ("<tr><td>Account<td>Plus<td>Minus<tr><td>Savings<td>$6<td><tr><td>House<td><td>$3",
         "Account: Savings | Plus: $6 | Minus: –\nAccount: House | Plus: – | Minus: $3"),
        ("<tr><td>a<td>b<td>c<tr><td>d<td>e<td>f", "a | b | c\nd | e | f"),
        ("<tr><td>Age<td>Ann<tr><td>7<td>8<tr><td>9<td>9", "Age | Ann\n7 | 8\n9 | 9"),
        # A table in a cell.
        ("<tr><th>Field<th>Use<tr><td>Coords<td>Place.<table><tr><th>Note<tr><td>In<td>cm</table>"
         "<tr><td>Font<td>Name",
         "Field: Coords | Use: Place. Note; In, cm\nField: Font | Use: Name"),
    ],
)  # fmt: skip
def test_data(table: str, lines: str) -> None:
    assert text_of(f"<p>x<table>{table}</table>") == f"x\n\n{lines}"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("<tr><td><h2>Left</h2><p>One.<td><p>Two.", "Left\n\nOne.\n\nTwo."),
        ("<tr><td><table><tr><th>A<tr><td>1</table><td>Two", "A\n1\n\nTwo"),
        ("<tr><td>All of it", "All of it"),
        ("<tr><td><p>One.</p><p>More.</p><td>Two", "One.\n\nMore.\n\nTwo"),
    ],
)
def test_layout(table: str, text: str) -> None:
    assert text_of(f"<p>x<table>{table}</table>") == f"x\n\n{text}"


def test_links_in_cells() -> None:
    page = page_of('<table><tr><th>Port<td>in <a href="p.html"><b>the</b> port</a> now</table>')
    assert page.document.text == "Port: in the port now"
    assert links_of(page) == [("the", "p.html"), ("port", "p.html")]
