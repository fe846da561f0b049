from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.server.clean_text import cleaned
from lacuna.server.refusals import Refusal


@given(st.text(max_size=60))
def test_a_question_is_one_clean_line_or_refused(typed: str) -> None:
    try:
        question = cleaned(typed, 50)
    except Refusal:
        return
    assert question == " ".join(question.split())
    assert question.isprintable() or not any(one < " " or one == "\x7f" for one in question)
    question.encode("utf-8")
    assert cleaned(question, 50) == question


def test_the_longest() -> None:
    assert len(cleaned("a" * 50, 50)) == 50
    with pytest.raises(Refusal, match="51 characters"):
        cleaned("a" * 51, 50)
