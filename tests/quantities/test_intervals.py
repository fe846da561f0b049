"""What is said of an amount."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.measures import BoundKind, ValueRange, bounded_measures

ENDS = st.floats(-100, 100)
RANGES = st.tuples(ENDS, ENDS, st.booleans(), st.booleans()).map(
    lambda parts: ValueRange(min(parts[:2]), max(parts[:2]), parts[2], parts[3])
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The nap takes 5 minutes.", BoundKind.EXACT),
        ("It takes about 5 minutes.", BoundKind.ROUGH),
        ("It takes more than 5 minutes.", BoundKind.MORE),
        ("It takes no more than 5 minutes.", BoundKind.AT_MOST),
        ("It must not exceed 5 minutes.", BoundKind.AT_MOST),
        ("It takes at least 5 minutes.", BoundKind.AT_LEAST),
        ("It takes no less than 5 minutes.", BoundKind.AT_LEAST),
        ("It takes under 5 minutes.", BoundKind.LESS),
        ("It takes 5 minutes or more.", BoundKind.AT_LEAST),
        ("It takes between 5 minutes and 9 minutes.", BoundKind.RANGE),
        ("It is not 5 minutes.", BoundKind.EXACT),
    ],
)
def test_words_around_an_amount_say_how_it_is_meant(text: str, kind: BoundKind) -> None:
    (bounded,) = bounded_measures(text)
    assert bounded.kind is kind


def test_a_year_holds_its_days() -> None:
    day, year = bounded_measures("On 3 May 1950; it was in 1950")
    assert day.interval.inside(year.interval)
    assert not year.interval.inside(day.interval)


def test_a_decade_holds_its_years() -> None:
    decade, year = bounded_measures("in the 1990s; in 1999")
    assert year.interval.inside(decade.interval)


def test_a_month_may_be_as_long_as_thirty_days() -> None:
    month, days, weeks = bounded_measures("2 months; 60 days; 7 weeks")
    assert not month.interval.apart(days.interval)
    assert month.interval.apart(weeks.interval)


@given(RANGES, RANGES)
def test_apart_goes_both_ways_and_excludes_inside(first: ValueRange, second: ValueRange) -> None:
    assert first.apart(second) == second.apart(first)
    solid = not first.low_open and not first.high_open
    if solid and first.inside(second):
        assert not first.apart(second)
