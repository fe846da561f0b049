from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, AnswerKind, get_dataset
from lacuna.answers import answer_from_text, text_from_answer, texts_from_answer
from lacuna.datasets import DATASETS

NO_ANSWERS = sorted({get_dataset(name).no_answer for name in DATASETS})


@given(st.text(), st.sampled_from(NO_ANSWERS), st.booleans())
def test_a_text_comes_back_as_it_was(text: str, none: str, yes_no: bool) -> None:
    assert text_from_answer(answer_from_text(text, none, yes_no=yes_no), none) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [("noanswer", AnswerKind.NONE), ("yes", AnswerKind.YES), ("no", AnswerKind.NO)],
)
def test_closed_answers_get_their_kind(text: str, kind: AnswerKind) -> None:
    assert answer_from_text(text, "noanswer").kind is kind


@pytest.mark.parametrize("text", ["Yes", "no.", "NONE", "none "])
def test_only_the_exact_word_is_a_closed_answer(text: str) -> None:
    assert answer_from_text(text, "none").kind is AnswerKind.SPAN


def test_several_spans_stay_apart_where_the_scorer_compares_lists() -> None:
    answer = Answer.spans(("Corrie", "Port Ellery"))
    assert texts_from_answer(answer, "none") == ("Corrie", "Port Ellery")
    assert texts_from_answer(Answer.none(), "none") == ("none",)
