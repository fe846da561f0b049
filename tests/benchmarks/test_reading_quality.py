"""What the reading bench counts in a folder of documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.corpora.reading_quality import MARKUP, measured


def test_a_collection_is_counted(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text(
        "# Plan\n\nSee [the crew](crew-list.md), [x](gone.md) and {{ page.mark }} &amp;amp; on.\n\n"
        "```\n{{ shown }}\n```\n"
    )
    (tmp_path / "crew-list.md").write_text("Voss is the *mate*.\n\n| a | b |\n|---|---|\n| c | d |")
    wanted = [
        ("crew-list.md", "Voss is  the mate."),
        ("crew-list.md", "| c | d |"),
        ("plan.md", "Voss"),
    ]
    quality = measured(tmp_path, wanted)
    assert (quality.pages, quality.stems) == (2, 1)
    assert (quality.inside, quality.resolved) == (2, 1)
    assert quality.markup == {"entity": 1}
    assert quality.lost == wanted[1:]
    assert quality.without_words == 1


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("attributes", "Head {#own} and {: .lead}"),
        ("icon", ":material-check:"),
        ("link", "[a](b.md)"),
        ("tag", "<img src='a'>"),
        ("component", "<Team name='x' />"),
        ("entity", "Q&amp;A"),
        ("role", "{term}`PEP`"),
        ("hole", "handled by , , and"),
    ],
)
def test_markup_is_seen(kind: str, text: str) -> None:
    assert [name for name, pattern in MARKUP.items() if pattern.search(text)] == [kind]


def test_prose_has_none() -> None:
    text = "Call main() or see [1]: a == b, :) and {x}. 3 < 4 > 2, std::vec. A — b, C # d."
    assert [name for name, pattern in MARKUP.items() if pattern.search(text)] == []
