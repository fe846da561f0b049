"""Answers that say the same count together."""

from __future__ import annotations

import pytest

from lacuna.pipeline.rating import grouped, say_the_same
from lacuna.types import Answer


def number(value: float, unit: str = "") -> Answer:
    return Answer.number(value, unit=unit)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Answer.span("Ada  Quill"), Answer.span("ada quill"), True),
        (Answer.span("Quill"), Answer.span("Ada Quill, the master"), True),
        (Answer.span("C"), Answer.span("C++"), False),
        (Answer.span("Quill"), Answer.span("Quills"), False),
        (Answer.span("--"), Answer.span("-"), False),
        (Answer.span("yes"), Answer.yes(), False),
        (number(1, "owner"), number(1), True),
        (number(1, "owner"), number(1, "day"), False),
        (number(1, "owner"), number(2, "owner"), False),
        (Answer.spans(("a", "b")), Answer.spans(("a",)), False),
        (Answer.yes(), Answer.yes(), True),
        (Answer.yes(), Answer.no(), False),
    ],
)
def test_which_say_the_same(one: Answer, other: Answer, *, same: bool) -> None:
    assert say_the_same(one, other) is same
    assert say_the_same(other, one) is same


def test_the_likeliest_stands_for_those_that_say_the_same() -> None:
    texts = ("Cargo.toml", "the file Cargo.lock", "Cargo.lock", "Cargo.lock file")
    answers = [Answer.span(text) for text in texts]
    assert grouped(answers, [0.3, 0.1, 0.25, 0.05]) == [[0], [2, 1, 3]]
    assert grouped([], []) == []
