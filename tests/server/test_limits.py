"""Typed texts within the limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.web.limits import clean_line
from lacuna.web.refusals import Refusal


@given(st.text(max_size=60))
def test_a_question_is_one_clean_line_or_refused(typed: str) -> None:
    try:
        question = clean_line(typed, 50)
    except Refusal:
        return
    assert question == " ".join(question.split())
    assert question.isprintable() or not any(char < " " or char == "\x7f" for char in question)
    question.encode("utf-8")
    assert clean_line(question, 50) == question


def test_the_longest() -> None:
    assert len(clean_line("a" * 50, 50)) == 50
    with pytest.raises(Refusal, match="51 characters"):
        clean_line("a" * 51, 50)
