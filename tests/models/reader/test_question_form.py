"""What the form of a question says."""

from __future__ import annotations

import pytest

from lacuna.models.reader.decode import asks_for_a_difference, asks_yes_or_no, may_be_yes_or_no


@pytest.mark.parametrize(
    "question",
    [
        "Did the ferry sail in 1931?",
        "  are both of them islands",
        "\u201cIs it true that she left?\u201d",
        "Was the year in which it sank before 1900?",
    ],
)
def test_yes_or_no(question: str) -> None:
    assert asks_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "When did it sail?",
        "Is it larger than Osk or smaller?",
        "Island of what group is Osk?",
        "Isadora was born where?",
    ],
)
def test_anything_else(question: str) -> None:
    assert not asks_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many more men were there than women?",
        "How many metres longer was the Lady Amory?",
        "By how many votes was it accepted?",
        "What is the difference between the two prices?",
    ],
)
def test_a_difference(question: str) -> None:
    assert asks_for_a_difference(question)


@pytest.mark.parametrize(
    "question",
    ["How many were either killed or hurt?", "How many men together?", "How many people died?"],
)
def test_no_difference(question: str) -> None:
    assert not asks_for_a_difference(question)


def test_a_choice_may_be_answered_either_way() -> None:
    assert may_be_yes_or_no("Is Osk or Vellan an island?")
    assert may_be_yes_or_no("In 1931, was the ferry still afloat?")
    assert not may_be_yes_or_no("Sandreth Courier")
