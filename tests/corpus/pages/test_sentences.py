"""Sentences inside paragraphs, and text that is no language."""

from __future__ import annotations

import pytest

from lacuna.corpus.page_builder import sentence_spans
from lacuna.types import Span


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, [Span(0, len(text))])]


def test_abbreviations_do_not_end_a_sentence() -> None:
    assert split("Dr. Voss met Mr. Berg. They sailed! Why?") == [
        "Dr. Voss met Mr. Berg.",
        "They sailed!",
        "Why?",
    ]


def test_a_sentence_ends_with_its_paragraph() -> None:
    text = "no stop here\n\nnor here"
    assert sentence_spans(text, [Span(0, 12), Span(14, 22)]) == (Span(0, 12), Span(14, 22))


def test_space_around_is_left_out() -> None:
    assert split("  one thing  ") == ["one thing"]


@pytest.mark.parametrize("piece", ["!", "! ", "\n", ". ", '."', "(. ", "a.b"])
def test_text_that_is_no_language_takes_no_time_to_speak_of(piece: str) -> None:
    # Given to the splitter as a whole, 150,000 of the first took 36 seconds.
    text = piece * 100_000 + " A last sentence. And one more."
    assert split(text)[-1] == "And one more."
