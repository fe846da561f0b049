"""Answers of IIRC's snippet file, typed."""

from __future__ import annotations

import pytest

from lacuna.types import Answer, AnswerKind
from lacuna_lab.data.iirc import bare_number, cleaned, typed_answers


@pytest.mark.parametrize(
    ("written", "expected"),
    [(" Tessa ", "Tessa"), ("\n\nThe dodo", "The dodo"), ("Barry,", "Barry"), ("U.S.", "U.S.")],
)
def test_cleaned(written: str, expected: str) -> None:
    assert cleaned(written) == expected


def test_numbers_are_spans_too_where_they_stand() -> None:
    kinds = [answer.kind for answer in typed_answers(Answer.span("27 "), ("he was 27 then",))]
    assert kinds == [AnswerKind.SPAN, AnswerKind.NUMBER]
    (number,) = typed_answers(Answer.span("27"), ("from 1919 to 1946, 127",))
    assert (number.kind, number.value, number.text) == (AnswerKind.NUMBER, 27, "27")
    assert bare_number("June 27") is None
