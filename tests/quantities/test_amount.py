"""Amounts as they are read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.arithmetic import amount, readable


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("9,800 people", "9,800"),
        ("9800 people", "9800"),
        ("37%", "37%"),
        ("two thousand sheep", "2,000"),
        ("3.5 million litres", "3,500,000"),
    ],
)
def test_digits_stay_as_they_are_and_words_become_digits(text: str, written: str) -> None:
    found = amount(text, "How many are there?")
    assert found is not None
    assert found.text == written


@given(st.integers(-(10**12), 10**12))
def test_a_readable_number_is_the_same_number(value: int) -> None:
    assert int(readable(float(value)).replace(",", "")) == value


def test_fractions_keep_their_digits() -> None:
    assert readable(-0.5) == "-0.5"
    assert readable(12345.25) == "12,345.25"
