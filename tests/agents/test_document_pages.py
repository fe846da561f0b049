"""Parts of a document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.mcp.documents import page_span
from lacuna.retrieve.windows import with_sentences
from lacuna.types import Document, Span


@given(st.text(min_size=1, max_size=3_000), st.integers(200, 700))
def test_pages_cover_the_text_and_are_never_too_long(text: str, most: int) -> None:
    document = with_sentences(Document("A", text))
    start, seen = 0, ""
    while start < len(text):
        span = page_span(document, start, most)
        assert 0 < span.end - span.start <= most
        seen += text[span.start : span.end]
        start = span.end
    assert seen == text


def test_a_page_ends_with_a_paragraph_if_one_ends_in_its_second_half() -> None:
    text = "a" * 150 + "\n\n" + "b" * 300
    document = Document("A", text, paragraphs=(Span(0, 150), Span(152, 452)))
    assert page_span(document, 0, 200) == Span(0, 150)


def test_nothing_is_read_from_behind_the_end() -> None:
    document = Document("A", "Short.")
    with pytest.raises(LacunaError, match="has 6 characters"):
        page_span(document, 6, 200)
    assert page_span(Document("Empty", ""), 0, 200) == Span(0, 0)
