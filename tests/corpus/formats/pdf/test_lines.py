"""Words of PDF files as they are meant, not as they are drawn."""

from __future__ import annotations

import pytest

from lacuna.corpus.formats.pdf_extraction import RawLine, RawPage
from lacuna.corpus.formats.pdf_layout import pieces_of


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        ("ﬁnd", "find"),
        ("p´aginas", "páginas"),
        ("art´ıculo", "artículo"),
        ("empe˜nes", "empeñes"),
        ("´qq", "´qq"),
        ("𝑘𝑥", "kx"),
        ("a\x07b", "ab"),
    ],
)
def test_words_are_written_as_usual(drawn: str, meant: str) -> None:
    line = RawLine(0, 10, 10, False, False, [(drawn, 0, 20)])
    assert [piece.text for piece in pieces_of(RawPage(1, [line]))] == [meant]


def test_wide_gaps_part_a_line() -> None:
    words = [("Gold", 0.0, 20.0), ("plan", 23.0, 40.0), ("20", 90.0, 100.0)]
    line = RawLine(0, 10, 10, False, False, words)
    assert [piece.text for piece in pieces_of(RawPage(1, [line]))] == ["Gold plan", "20"]
