"""An excerpt's places lead back to the same characters of the original."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.retrieve.excerpts import Excerpt
from lacuna.types import Document, Evidence, Link, Span

TEXT = "It sails. It is old. It is red. It costs 4 staves."
PAGE = Document(
    "Ferry",
    TEXT,
    sentences=(Span(0, 9), Span(10, 20), Span(21, 31), Span(32, 50)),
    links=(Link(27, 30, "Red"), Link(43, 49, "Stave")),
)


def test_pieces_stand_in_order_with_their_sentences_and_links() -> None:
    excerpt = Excerpt.of(PAGE, [(32, 50), (0, 9)])
    assert excerpt.document.text == "It sails.\nIt costs 4 staves."
    assert excerpt.sentences == (0, 3)
    (link,) = excerpt.document.links
    assert excerpt.document.text[link.start : link.end] == "staves"
    assert excerpt.place(link.start, link.end) == Span(43, 49)
    assert excerpt.evidence(Evidence("Ferry", 10, 12)) == Evidence("Ferry", 32, 34)


def test_pieces_that_touch_become_one() -> None:
    excerpt = Excerpt.of(PAGE, [(10, 20), (0, 9), (10, 31)])
    assert excerpt.pieces == (Span(0, 31),)
    assert excerpt.document.text == TEXT[:31]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted), min_size=1))
def test_every_character_leads_back_to_itself(spans: list[list[int]]) -> None:
    excerpt = Excerpt.of(PAGE, [(start, end) for start, end in spans])
    text = excerpt.document.text
    for at, character in enumerate(text):
        start, end = excerpt.place(at, at + 1)
        if character != "\n":
            assert TEXT[start:end] == character
