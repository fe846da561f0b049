"""An excerpt's places lead back to the same characters of the original."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.passages import Cutter, Excerpt
from lacuna.types import Document, Evidence, Link, Section, Span

TEXT = "It sails. It is old. It is red. It costs 4 staves."
PAGE = Document(
    "Ferry",
    TEXT,
    sentences=(Span(0, 9), Span(10, 20), Span(21, 31), Span(32, 50)),
    links=(Link(27, 30, "Red"), Link(43, 49, "Stave")),
)

LETTERS = "abcdefghijklmnopqrst"
PLACES = st.tuples(st.integers(0, len(LETTERS)), st.integers(0, len(LETTERS))).map(sorted)
SPANS = st.lists(PLACES.map(lambda place: Span(*place)), max_size=8).map(tuple)


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


@settings(deadline=None)
@given(SPANS, SPANS, PLACES)
def test_what_is_inside_is_kept_and_says_the_same(
    links: tuple[Span, ...], others: tuple[Span, ...], place: list[int]
) -> None:
    start, end = place
    document = Document(
        "T",
        LETTERS,
        others,
        tuple(Link(a, b, LETTERS[a:b]) for a, b in links),
        others,
        tuple(Section((LETTERS[a:b],), a, b) for a, b in links),
    )
    part = Cutter(document).cut([Span(start, end)]).document
    assert part.text == LETTERS[start:end]
    assert sorted(part.text[link.start : link.end] for link in part.links) == sorted(
        LETTERS[a:b] for a, b in links if start <= a and b <= end
    )
    assert all(part.text[link.start : link.end] == link.target for link in part.links)
    assert sorted(part.sentences) == sorted(
        (a - start, b - start) for a, b in others if start <= a and b <= end
    )
    assert part.paragraphs == part.sentences
    assert all(part.text[s.start : s.end] in s.path[0] for s in part.sections)


def test_chosen_sentences_lead_back_by_number_and_place() -> None:
    excerpt = Cutter(PAGE).cut_sentences([1, 3], lambda before, after: " ")
    assert excerpt.document.text == "It is old. It costs 4 staves."
    assert excerpt.sentences == (1, 3)
    assert [excerpt.place(*span) for span in excerpt.document.sentences] == [(10, 20), (32, 50)]


def test_a_span_that_ends_in_a_gap_ends_with_its_piece() -> None:
    excerpt = Excerpt.of(PAGE, [(0, 9), (21, 31)])
    assert excerpt.document.text[:10] == "It sails.\n"
    assert excerpt.place(0, 10) == Span(0, 9)
