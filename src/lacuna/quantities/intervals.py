"""What a text says of an amount: exactly 5, at least 5, less than 5, about 5, between 5 and 9."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from dataclasses import dataclass, replace
from enum import StrEnum

from lacuna.quantities.dates import PartialDate
from lacuna.quantities.measures import Measure, find_measures

_ROUGHLY = 0.1
"""How far "about" reaches, as a share of the amount."""
_A_MONTH_VARIES = 0.04
"""Months and years have no fixed length: one of 28 days is 8 % shorter than one of 31."""

_MORE = (
    r"(?:more|longer|greater|larger|bigger|higher|taller|older|heavier|deeper|wider|faster|later"
    r"|farther|further|better)"
)
_LESS = r"(?:less|fewer|shorter|lower|smaller|younger|lighter|slower|cheaper|earlier)"
_NOT = r"(?:no|not|never|cannot|can't|must not|may not|should not|does not|do not)"


class BoundKind(StrEnum):
    """How an amount is meant."""

    EXACT = "exact"
    ROUGH = "about"
    MORE = "more than"
    LESS = "less than"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    RANGE = "between"


_BEFORE = (
    (
        BoundKind.AT_MOST,
        rf"{_NOT} (?:be |have |last |take )?(?:{_MORE} than|over|above|exceed(?:ing)?|after)",
    ),
    (BoundKind.AT_LEAST, rf"{_NOT} (?:be |have |last |take )?(?:{_LESS} than|under|below|before)"),
    (
        BoundKind.AT_LEAST,
        r"at least|(?:a )?minimum(?: \w+)? (?:of|is)|minimum|since|not until|from",
    ),
    (
        BoundKind.AT_MOST,
        r"at most|up to|(?:a )?maximum(?: \w+)? (?:of|is)|maximum|within|limited to|until"
        r"|no later than",
    ),
    (BoundKind.MORE, rf"{_MORE} than|over|above|exceed(?:s|ed|ing)?|beyond|after"),
    (BoundKind.LESS, rf"{_LESS} than|under|below|before"),
    (BoundKind.ROUGH, r"about|approximately|around|roughly|nearly|almost|circa|c\.|ca\.|some|~"),
)
_BEFORE_AMOUNT = tuple(
    (kind, re.compile(rf"\b(?:{words})(?: (?:the|a|an|of|year|age of))?[ ~]*$", re.IGNORECASE))
    for kind, words in _BEFORE
)
_AFTER_AMOUNT = (
    (
        BoundKind.AT_LEAST,
        re.compile(r" (?:or|and) (?:more|longer|older|greater|above|higher|later|over)\b|\+"),
    ),
    (BoundKind.AT_MOST, re.compile(r" or (?:less|fewer|shorter|below|under|lower|earlier)\b")),
    (BoundKind.AT_MOST, re.compile(r" (?:at (?:the )?most|maximum|max)\b")),
    (BoundKind.AT_LEAST, re.compile(r" (?:at (?:the )?least|minimum)\b")),
)
_TO = re.compile(r"\s?[-–—]\s?|\s(?:to|and)\s")


@dataclass(frozen=True, slots=True)
class ValueRange:
    """All values from ``low`` to ``high``; an open end does not belong to it."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def inside(self, other: ValueRange) -> bool:
        """Whether all of it lies in the other."""
        low = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open)
        )
        high = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open)
        )
        return low and high

    def apart(self, other: ValueRange) -> bool:
        """Whether they have no value in common."""
        return self._ends_before(other) or other._ends_before(self)

    def _ends_before(self, other: ValueRange) -> bool:
        if self.high == other.low:
            return self.high_open or other.low_open
        return self.high < other.low


@dataclass(frozen=True, slots=True)
class BoundedMeasure:
    """An amount and how it is meant; ``start`` is where the words before it begin."""

    measure: Measure
    kind: BoundKind
    interval: ValueRange
    start: int
    end: int


def bounded_measures(text: str) -> tuple[BoundedMeasure, ...]:
    """The amounts and dates of a text with what is said around them.

    >>> [bounded.kind.value for bounded in bounded_measures("at most 5 minutes, over 30 km")]
    ['at most', 'more than']
    """
    found: list[BoundedMeasure] = []
    for measure in find_measures(text):
        bounded = _bounded(text, measure)
        last = found[-1] if found else None
        if last and _makes_a_range(text, last, bounded):
            found[-1] = _range(text, last, bounded)
        else:
            found.append(bounded)
    return tuple(found)


def _bounded(text: str, measure: Measure) -> BoundedMeasure:
    kind, start, end = BoundKind.EXACT, measure.start, measure.end
    front = text[max(0, start - 40) : start]
    for before, words in _BEFORE_AMOUNT:
        if match := words.search(front):
            kind, start = before, start - len(front) + match.start()
            break
    else:
        for after, words in _AFTER_AMOUNT:
            if match := words.match(text, end):
                kind, end = after, match.end()
                break
    decade = measure.date is not None and text[measure.start : measure.end].endswith("0s")
    return BoundedMeasure(measure, kind, _interval(measure, kind, decade=decade), start, end)


def _interval(measure: Measure, kind: BoundKind, *, decade: bool = False) -> ValueRange:
    point = _point(measure)
    if decade:  # "the 1990s"
        point = replace(point, high=point.low + 10)
    match kind:
        case BoundKind.MORE:
            return ValueRange(point.high, math.inf, low_open=True)
        case BoundKind.LESS:
            return ValueRange(-math.inf, point.low, high_open=True)
        case BoundKind.AT_LEAST:
            return ValueRange(point.low, math.inf)
        case BoundKind.AT_MOST:
            return ValueRange(-math.inf, point.high)
        case BoundKind.ROUGH:
            return _widened(point, 1.0 if measure.date else _ROUGHLY * abs(point.high))
    return point


def _point(measure: Measure) -> ValueRange:
    if measure.date:
        return _of_date(measure.date)
    exact = ValueRange(measure.value, measure.value)
    return _widened(exact, _A_MONTH_VARIES * measure.value) if measure.rough else exact


def _of_date(when: PartialDate) -> ValueRange:
    """The time from the beginning to the end of a day, month or year, in years."""
    year = when.counted_year
    if when.month is None:
        return ValueRange(year, year + 1, high_open=True)
    begin = year + (when.month - 1) / 12
    if when.day is None:
        return ValueRange(begin, begin + 1 / 12, high_open=True)
    days = monthrange(max(1, year), when.month)[1]
    day = begin + (when.day - 1) / days / 12
    return ValueRange(day, day)


def _widened(interval: ValueRange, by: float) -> ValueRange:
    return replace(interval, low=interval.low - by, high=interval.high + by)


def _makes_a_range(text: str, first: BoundedMeasure, second: BoundedMeasure) -> bool:
    one, other = first.measure, second.measure
    between = text[one.end : other.start]
    alike = one.dimension is other.dimension
    joined = _TO.fullmatch(between) and first.kind in (BoundKind.EXACT, BoundKind.AT_LEAST)
    said = "and" not in between or re.search(r"\b[Bb]etween $", text[: one.start])
    return bool(alike and joined and said and one.value < other.value)


def _range(text: str, first: BoundedMeasure, second: BoundedMeasure) -> BoundedMeasure:
    low, high = _point(first.measure).low, _point(second.measure).high
    return BoundedMeasure(
        second.measure, BoundKind.RANGE, ValueRange(low, high), first.start, second.end
    )
