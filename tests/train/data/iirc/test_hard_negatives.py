"""Quotes that look as if they answered a question, and do not."""

from __future__ import annotations

from random import Random

import pytest

from lacuna_lab.data.iirc import HardNegativePool, QuotedText, is_negative, other_sentences


def quotes(*texts: str, whole: bool = True) -> list[QuotedText]:
    return [QuotedText(text, "", whole) for text in texts]


def test_the_rest_of_a_quote() -> None:
    quote = QuotedText("It is old. It is 9 m deep. It froze.", "Marrow", True)
    rest = other_sentences(quote, "9 m")
    assert rest == QuotedText("It is old. It froze.", "Marrow", True)
    assert other_sentences(quote, "It") is None
    assert other_sentences(QuotedText("It is 9 m deep.", "", True), "9 m") is None


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("The canal was dug by hand.", True),
        ("It is 9 m deep here.", False),  # it contains the answer
        ("The old canal is deep.", False),  # it says what the gold quote says
    ],
)
def test_what_may_be_a_negative(text: str, negative: bool) -> None:
    (quote,), gold = quotes(text), quotes("The canal is very deep and old.")
    assert is_negative(quote, gold, ["9 m"]) is negative


def test_negatives_are_of_the_same_sort_and_differ_from_each_other() -> None:
    whole = quotes(*(f"The ferry {name} sails." for name in ("Ash", "Elm", "Oak")))
    short = quotes("The ferry Yew sails.", whole=False)
    pool = HardNegativePool([*whole, *short], ["Which ferry sails?"], Random(1))
    drawn = pool.draw(0, True, None, ["Elm"], 3)
    assert drawn
    assert set(drawn) <= set(whole)
    assert not any("Elm" in quote.text for quote in drawn)
    assert pool.draw(0, False, None, [], 1) == short
