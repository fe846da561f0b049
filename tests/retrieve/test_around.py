"""The stretch around a hit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.retrieve.windows import around
from lacuna.types import Document, Span

SENTENCES = [f"This is sentence number {number:03}." for number in range(100)]
TEXT = " ".join(SENTENCES)
EACH = len(SENTENCES[0])


def page() -> Document:
    spans = tuple(Span(n * (EACH + 1), n * (EACH + 1) + EACH) for n in range(100))
    return Document("Numbers", TEXT, spans)


def test_a_hit_stands_in_the_middle_of_whole_sentences() -> None:
    document = page()
    hit = document.sentences[50]
    start, end = around(document, *hit, size=400)
    assert {start, end} <= {edge for span in document.sentences for edge in span}
    assert abs((hit.start - start) - (end - hit.end)) <= EACH + 1
    assert abs((end - start) - 400) <= 2 * EACH


def test_at_an_edge_it_reaches_further_to_the_other_side() -> None:
    document = page()
    start, end = around(document, *document.sentences[0], size=400)
    assert start == 0
    assert end >= 400 - EACH
    start, end = around(document, *document.sentences[-1], size=400)
    assert end == len(TEXT)
    assert end - start >= 400 - EACH


def test_a_short_document_is_read_whole() -> None:
    document = Document("Ferry", "It sails. It is old.", (Span(0, 9), Span(10, 20)))
    assert around(document, 10, 20) == Span(0, 20)


def test_a_document_without_sentences_gets_some() -> None:
    start, end = around(Document("Numbers", TEXT), 1500, 1540, size=400)
    assert TEXT[start:end].startswith("This")
    assert TEXT[start:end].endswith(".")


def test_a_sentence_that_is_far_too_long_is_cut() -> None:
    document = Document("Table", "x" * 5000, (Span(0, 5000),))
    start, end = around(document, 3000, 3010, size=400)
    assert end - start == 800
    assert start < 3000 < 3010 < end


@given(st.integers(0, 99), st.integers(1, 30), st.integers(50, 1000))
def test_the_hit_is_inside_and_twice_the_size_is_the_most(first: int, many: int, size: int) -> None:
    document = page()
    hit = Span(document.sentences[first].start, document.sentences[min(first + many, 99)].end)
    start, end = around(document, *hit, size=size)
    assert 0 <= start < end <= len(TEXT)
    assert end - start <= 2 * size
    if hit.end - hit.start <= size:
        assert start <= hit.start
        assert hit.end <= end
