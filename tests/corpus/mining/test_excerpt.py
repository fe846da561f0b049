from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.mining.excerpt import (
    Cutter,
    first_paragraph,
    other_articles,
    paragraphs_of,
)
from lacuna.types import Document, Link, Section, Span

TEXT = "abcdefghijklmnopqrst"
PLACES = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted)
SPANS = st.lists(PLACES.map(lambda place: Span(*place)), max_size=8).map(tuple)


@settings(deadline=None)
@given(SPANS, SPANS, PLACES)
def test_what_is_inside_is_kept_and_says_the_same(
    links: tuple[Span, ...], others: tuple[Span, ...], place: list[int]
) -> None:
    start, end = place
    document = Document(
        "T",
        TEXT,
        others,
        tuple(Link(a, b, TEXT[a:b]) for a, b in links),
        others,
        tuple(Section((TEXT[a:b],), a, b) for a, b in links),
    )
    part = Cutter(document).cut(Span(start, end))
    assert part.text == TEXT[start:end]
    assert sorted(part.text[link.start : link.end] for link in part.links) == sorted(
        TEXT[a:b] for a, b in links if start <= a and b <= end
    )
    assert all(part.text[link.start : link.end] == link.target for link in part.links)
    assert sorted(part.sentences) == sorted(
        (a - start, b - start) for a, b in others if start <= a and b <= end
    )
    assert part.paragraphs == part.sentences
    assert all(part.text[s.start : s.end] in s.path[0] for s in part.sections)


def test_paragraphs_that_are_blank_do_not_count() -> None:
    document = Document("T", " \n\nReal.", paragraphs=(Span(0, 2), Span(3, 8)))
    assert paragraphs_of(document) == (Span(3, 8),)
    assert first_paragraph(document).text == "Real."


def test_a_document_that_knows_of_no_paragraphs_is_one() -> None:
    assert paragraphs_of(Document("T", "All.")) == (Span(0, 4),)
    assert first_paragraph(Document("T", "")).text == ""


def test_links_to_itself_and_nowhere_do_not_count_and_others_once() -> None:
    titles = ["Ferry", "Lake", "", "USA", "Lake", "Gone"]
    document = Document("Ferry", "x", links=tuple(Link(0, 1, title) for title in titles))
    assert other_articles(document) == ["Lake", "USA", "Gone"]
    redirects = {"Lake": "Lake", "USA": "United States", "Gone": None, "Ferry": "Ferry"}
    assert other_articles(document, redirects.get) == ["Lake", "United States"]
