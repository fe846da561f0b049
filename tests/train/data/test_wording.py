"""Questions in writing and as typed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.types import Document, Question
from lacuna_lab.data.lines import reworded, typed, written
from lacuna_lab.data.texts import together

PASSAGE = "The ferry Marrow was built by Ada Quill. It is the oldest ferry of Norway."


def test_names_get_their_capitals_and_other_words_none() -> None:
    assert written("is the MARROW the Oldest ferry of norway", PASSAGE) == (
        "Is the Marrow the oldest ferry of Norway?"
    )


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_case_of_the_file_does_not_matter(text: str, passage: str) -> None:
    assert written(text, passage) == written(text.lower(), passage)
    assert typed(text) == typed(text.lower())


def test_neighbours_are_worded_alike() -> None:
    document = Document("Marrow", PASSAGE)
    pairs = [
        question
        for number in range(40)
        for question in together(
            Question(f"{number}/a", "who built the marrow?", document),
            Question(f"{number}/b", "Who built the Marrow?", document),
        )
    ]
    texts = [question.text for question in reworded(pairs, 1)]
    assert texts[::2] == texts[1::2]
    assert set(texts) == {"who built the marrow", "Who built the Marrow?"}
