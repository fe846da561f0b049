"""Amounts with their units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.measures import Dimension, find_measures


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("900 seconds", 900, Dimension.TIME),
        ("a ten-minute walk", 600, Dimension.TIME),
        ("within an hour", 3600, Dimension.TIME),
        ("30 s", 30, Dimension.TIME),
        ("1.5 km", 1500, Dimension.LENGTH),
        ("6 feet", 1.8288, Dimension.LENGTH),
        ("120 km/h", 120 / 3.6, Dimension.SPEED),
        ("40 km²", 4e7, Dimension.AREA),
        ("2 MB", 2 * 1024**2, Dimension.DATA),
        ("3 kg", 3000, Dimension.MASS),
        ("$2,000", 2000, Dimension.MONEY),
        ("37%", 37, Dimension.PERCENT),
        ("since 1987", 1987, Dimension.DATE),
        ("nine districts", 9, Dimension.COUNT),
    ],
)
def test_an_amount_has_a_value_in_its_base_unit(
    text: str, value: float, dimension: Dimension
) -> None:
    (measure,) = find_measures(text)
    assert measure.value == pytest.approx(value)
    assert measure.dimension is dimension


def test_the_place_includes_the_unit() -> None:
    text = "The kettle boils after 4 minutes."
    (measure,) = find_measures(text)
    assert text[measure.start : measure.end] == "4 minutes"
    assert measure.unit == "minutes"


def test_a_count_knows_what_is_counted() -> None:
    assert find_measures("It has 40 oars.")[0].unit == "oars"
    assert find_measures("The answer is 40.")[0].unit == ""


def test_months_and_years_are_rough() -> None:
    assert [measure.rough for measure in find_measures("2 months, 60 days")] == [True, False]


def test_ordinals_are_no_amounts() -> None:
    assert find_measures("the third gate") == ()


@given(st.text(max_size=150))
def test_measures_lie_in_the_text(text: str) -> None:
    for measure in find_measures(text):
        assert 0 <= measure.start < measure.end <= len(text)
