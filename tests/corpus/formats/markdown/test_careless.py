"""Markdown as people write it: what is not quite CommonMark, and what they meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.page import Page

Parse = Callable[..., Page]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("####Q12: May I row?\nYes.", "Q12: May I row?\n\nYes."),
        ("#tag stays and ##", "#tag stays and ##"),
        ("![The quay](img/Old quay - big.jpg)", "The quay"),
        ("[![A mark](a%20b.jpg)](img/a mark - Big.jpg)", "A mark"),
        ("[Ask](FIXME @ann) and [your words](https://x.org/<Your Code>).", "Ask and your words."),
        ("![Quay](q.png =100x20) and [b](c.md \"Title\")", "Quay and b"),
        ("**Note: **Row on. **A** and ** B**.", "Note: Row on. A and B."),
        ("Take 2 ** 3 and **B **.", "Take 2 ** 3 and **B **."),
        ("In 2<sup>53</sup> x<sup>2</sup> 10^6^, code<sup>US</sup>, 1<sup>st</sup>, a<sup>n</sup>.",
         "In 2⁵³ x² 10⁶, code US, 1st, a^n."),
        ("<p>In 2<sup>53</sup> and 3<sup>rd</sup></p>", "In 2⁵³ and 3rd"),
    ],
)  # fmt: skip
def test_what_was_meant_is_read(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


def test_a_caption_is_not_said_twice(parse: Parse) -> None:
    page = parse('<a name="f1"></a>![Fig. 1. Keel](k.png)\n\n**Fig. 1. Keel**\n\nText.')
    assert page.document.text == "Fig. 1. Keel\n\nText."
    assert [picture.target for picture in page.document.pictures] == ["k.png"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("|Term|Meaning|\n|Keel|The spine.|\n|Oar|A lever.|",
         "Term: Keel | Meaning: The spine.\nTerm: Oar | Meaning: A lever."),
        ("|A|B|C|\n|---|---|\n|1|2|3|", "A: 1 | B: 2 | C: 3"),
        ("| Mode | Means |\n|---|---|\n| `a|b` | both |\n| `x` | one |",
         "Mode: a|b | Means: both\nMode: x | Means: one"),
        ("- Boats:\n  | A | B |\n  |---|---|\n  | 1 | 2 |", "Boats:\n\nA: 1 | B: 2"),
        ("||||\n|---|---|---|\n|A|B||\n", "A | B"),
        ("```\n|A|B|\n|1|2|\n```", "|A|B|\n|1|2|"),
    ],
)  # fmt: skip
def test_tables_that_are_nearly_tables(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


def test_a_table_of_html_with_gaps_is_one(parse: Parse) -> None:
    page = parse(
        "<table>\n<tr><th>Boat</th><th>Crew</th></tr>\n\n    <tr>\n      <td>Gull</td>\n\n"
        "        <td>2 <b>rowers</b></td>\n    </tr>\n</table>\n\n    <tr> in code\n"
    )
    assert page.document.text == "Boat: Gull | Crew: 2 rowers\n\n<tr> in code"
