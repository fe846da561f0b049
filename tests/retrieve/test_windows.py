"""Windows follow sentences, paragraphs and headings, and cover the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.retrieve.windows import LONGEST, SIZE, windows, with_sentences
from lacuna.types import Document, Section, Span

SENTENCE = "The ferry sails to the island each day in the early morning. "


def document(*paragraphs: str, sections: tuple[Section, ...] = ()) -> Document:
    text = "\n\n".join(paragraphs)
    spans, at = [], 0
    for paragraph in paragraphs:
        spans.append(Span(at, at + len(paragraph)))
        at += len(paragraph) + 2
    return with_sentences(Document("Ferry", text, paragraphs=tuple(spans), sections=sections))


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    found = windows(document((SENTENCE * 20).strip()))
    assert len(found) > 1
    text = (SENTENCE * 20).strip()
    for window in found:
        assert window.end - window.start <= SIZE
        assert text[window.start : window.end].endswith(".")


def test_short_neighbours_are_joined_and_long_ones_are_not() -> None:
    short = windows(document("One item.", "Another item.", "A third."))
    assert [(window.start, window.end) for window in short] == [(0, 34)]
    long = SENTENCE.strip() * 1 + " " + SENTENCE.strip() * 3
    assert len(windows(document(long, long))) == 2


def test_no_window_crosses_a_heading() -> None:
    sections = (Section(("Ferry",), 0, 29), Section(("Ferry", "Fares"), 11, 29))
    found = windows(document("It sails.", "It costs 4 staves.", sections=sections))
    assert [window.section for window in found] == [("Ferry",), ("Ferry", "Fares")]


def test_a_sentence_without_end_is_cut() -> None:
    found = windows(document("word " * 2000))
    assert len(found) > 5
    assert all(window.end - window.start <= LONGEST for window in found)


def test_sentences_are_found_where_nobody_told_them() -> None:
    assert with_sentences(Document("Ferry", "It sails. It is old.")).sentences == (
        Span(0, 9),
        Span(10, 20),
    )
    assert windows(Document("Empty", " \n ")) == ()


@given(st.lists(st.text("ab. \n", max_size=60), max_size=8))
def test_every_sentence_is_in_one_window(paragraphs: list[str]) -> None:
    page = document(*paragraphs)
    found = windows(page)
    assert list(found) == sorted(found, key=lambda window: window.start)
    for sentence in page.sentences:
        if page.text[sentence.start : sentence.end].strip():
            holding = [w for w in found if w.start <= sentence.start and sentence.end <= w.end]
            assert len(holding) == 1
