"""Odd numbers and dates: what is found stands where it says, and calculating never fails."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

from lacuna.quantities.arithmetic import calculate, readable, time_between
from lacuna.quantities.find_quantities import (
    PartialDate,
    completed_years,
    days_between,
    find_quantities,
    months_between,
)
from lacuna.quantities.measures import bounded_measures

WORDS = """
one two-thirds twelve hundred thousand million billion dozen half a and minus third thirds
quarters first January March. Feb 29 30 31 BC B.C. AD A.D. CE 0 00 1 -1 44 1999 2000 2100 3000
12,345 1,2,3 1.5 .5 5. 1e5 10% % $ $3 € 3.5m km °C years year months days to – - / from between
about at least less than 1999–00 1984-85 2001-02-29 2001-02-30 0000-00-00 9999-12-31
99999999999999999999999999 ½ ² ३ 1/0 0/0 : May 10, a.m. v1.2.3 1,000,000,000,000,000 nine nineteen
ninety-nine hundredth İ ß 0x10 1_000 ∞ NaN
"""
QUESTIONS = [
    "How many years?",
    "How many days were there?",
    "How many months later?",
    "How much?",
    "How old was she?",
    "",
]


def a_text(rng: random.Random) -> str:
    return "".join(
        rng.choice(WORDS.split()) + rng.choice((" ", " ", " ", "", "-", ", ", "\n"))
        for _ in range(rng.randrange(1, 14))
    )


def a_date(rng: random.Random) -> PartialDate:
    year = rng.choice(
        (-10_000, -44, -1, 1, 14, 1582, 1900, 2000, 9999, 10_000, rng.randrange(1, 3000))
    )
    month = rng.choice((None, *range(1, 13)))
    return PartialDate(year, month, rng.choice((None, *range(1, 32))) if month else None)


def test_whatever_is_found_can_be_calculated_with(
    rounds: Callable[[], Iterator[random.Random]],
) -> None:
    for rng in rounds():
        for _ in range(50):
            text = a_text(rng)
            found = find_quantities(text)
            assert all(0 <= one.start < one.end <= len(text) for one in found), text
            assert all(one.end <= two.start for one, two in pairwise(found))
            bounded_measures(text)
            terms = [(rng.choice((1, -1)), quantity) for quantity in found[:3]]
            if not any(sign > 0 for sign, _ in terms):
                continue
            try:
                result = calculate(terms, rng.choice(QUESTIONS))
            except ValueError as error:
                assert "two dates" in str(error), text  # noqa: PT017
                continue
            assert not math.isnan(result.value), text
            assert result.text
            assert readable(result.value)


def test_time_goes_on_evenly(rounds: Callable[[], Iterator[random.Random]]) -> None:
    """From one date to another is as far as back, and by way of a third no shorter."""
    for rng in rounds():
        for _ in range(200):
            first, second, third = sorted((a_date(rng) for _ in range(3)), key=lambda d: d.moment)
            for unit in ("years", "months", "days", ""):
                assert time_between(first, second, unit) == time_between(second, first, unit)
            whole = time_between(first, third, "years")[0]
            parts = (
                time_between(first, second, "years")[0] + time_between(second, third, "years")[0]
            )
            assert whole == parts
            ages = completed_years(first, third)
            assert ages is None or 0 <= ages <= whole
            months = months_between(first, third)
            assert months is None or months >= 0
            days = days_between(first, third)
            assert days is None or days >= 0
