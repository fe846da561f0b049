"""Amounts with their units, made comparable, and what a text says of an amount."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from dataclasses import dataclass, replace
from enum import StrEnum

from lacuna.quantities.find_quantities import PartialDate, Quantity, QuantityKind, find_quantities


class Dimension(StrEnum):
    """A kind of amounts that can be compared with each other."""

    TIME = "time"
    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MASS = "mass"
    DATA = "data"
    SPEED = "speed"
    POWER = "power"
    FREQUENCY = "frequency"
    CELSIUS = "°C"
    FAHRENHEIT = "°F"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount at ``text[start:end]``; ``value`` is in the base unit of its dimension.

    ``unit`` is the unit as it is written; of a count, what is counted. ``rough`` says that the
    unit has no fixed length: months and years.
    """

    start: int
    end: int
    value: float
    dimension: Dimension
    unit: str = ""
    date: PartialDate | None = None
    rough: bool = False


_SECONDS = {
    r"ms|msecs?|milliseconds?": 0.001,
    r"s|secs?|seconds?": 1.0,
    r"mins?|minutes?": 60.0,
    r"h|hrs?|hours?": 3600.0,
    r"days?|nights?": 86_400.0,
    r"weeks?": 604_800.0,
    r"fortnights?": 1_209_600.0,
    r"months?": 2_629_800.0,
    r"years?|yrs?": 31_557_600.0,
    r"decades?": 315_576_000.0,
    r"centur(?:y|ies)": 3_155_760_000.0,
}
_UNITS: dict[Dimension, dict[str, float]] = {
    Dimension.SPEED: {
        r"km/h|kph|kmh|kilomet(?:re|er)s? (?:per|an) hour": 1 / 3.6,
        r"mph|miles? (?:per|an) hour": 0.44704,
        r"m/s|met(?:re|er)s? (?:per|a) second": 1.0,
        r"knots?": 0.514444,
    },
    Dimension.AREA: {
        r"km²|km2|sq\.? ?km|square kilomet(?:re|er)s?": 1e6,
        r"m²|m2|sq\.? ?m|square met(?:re|er)s?": 1.0,
        r"sq\.? ?mi|mi²|square miles?": 2_589_988.0,
        r"hectares?|ha": 1e4,
        r"acres?": 4046.856,
    },
    Dimension.VOLUME: {
        r"lit(?:re|er)s?|l": 1.0,
        r"millilit(?:re|er)s?|ml": 0.001,
        r"gallons?": 3.78541,
        r"m³|m3|cubic met(?:re|er)s?": 1000.0,
    },
    Dimension.DATA: {
        r"bits?": 0.125,
        r"bytes?": 1.0,
        r"[Kk]i?B|[Kk]ilobytes?|[Kk]ibibytes?": 1024.0,
        r"Mi?B|[Mm]egabytes?|[Mm]ebibytes?": 1024.0**2,
        r"Gi?B|[Gg]igabytes?|[Gg]ibibytes?": 1024.0**3,
        r"Ti?B|[Tt]erabytes?|[Tt]ebibytes?": 1024.0**4,
    },
    Dimension.TIME: _SECONDS,
    Dimension.LENGTH: {
        r"mm|millimet(?:re|er)s?": 0.001,
        r"cm|centimet(?:re|er)s?": 0.01,
        r"km|kilomet(?:re|er)s?": 1000.0,
        r"m|met(?:re|er)s?": 1.0,
        r"inch(?:es)?": 0.0254,
        r"ft|foot|feet": 0.3048,
        r"yards?": 0.9144,
        r"mi|miles?": 1609.344,
    },
    Dimension.MASS: {
        r"mg|milligrams?": 0.001,
        r"g|grams?": 1.0,
        r"kg|kilos?|kilograms?": 1000.0,
        r"tonnes?|tons?|t": 1e6,
        r"lbs?": 453.592,
        r"oz|ounces?": 28.3495,
    },
    Dimension.POWER: {r"W|watts?": 1.0, r"kW|kilowatts?": 1e3, r"MW|megawatts?": 1e6},
    Dimension.FREQUENCY: {r"Hz|[Hh]ertz": 1.0, r"kHz": 1e3, r"MHz": 1e6, r"GHz": 1e9},
    Dimension.CELSIUS: {r"°C|degrees Celsius": 1.0},
    Dimension.FAHRENHEIT: {r"°F|degrees Fahrenheit": 1.0},
}
_ROUGH = re.compile(r"(?:month|year|yr|decade|centur)")
_PATTERNS = tuple(
    (dimension, re.compile(rf"[ \u00a0-]?(?:{pattern})(?![\w²³/])"), factor)
    for dimension, units in _UNITS.items()
    for pattern, factor in units.items()
)
_COUNTED = re.compile(
    r"[ \u00a0-](?!(?:to|and|or|of|in|on|at|by|for|is|are|was|were|the|a|an|from|with|per|as"
    r"|than|if"
    r"|that|which|when|but|not|more|less|times)\b)(?P<noun>[^\W\d_][\w-]*)"
)
_A_UNIT = re.compile(
    r"\b[Aa]n? (?P<unit>minute|hour|day|week|fortnight|month|year|decade|century)\b"
)
"""One of a unit of time without its number: "an hour"."""


def find_measures(text: str) -> tuple[Measure, ...]:
    """The amounts and dates of a text, in order; ordinals are none.

    >>> [(m.value, m.dimension.value) for m in find_measures("900 seconds, or 2.5 km in 1987")]
    [(900.0, 'time'), (2500.0, 'length'), (1987.0, 'date')]
    >>> find_measures("It has nine districts.")[0].unit
    'districts'
    """
    numbered = [
        _measure(text, quantity)
        for quantity in find_quantities(text)
        if quantity.kind is not QuantityKind.ORDINAL
    ]
    taken = {measure.end for measure in numbered}
    alone = [_one_of(match) for match in _A_UNIT.finditer(text) if match.end() not in taken]
    return tuple(sorted((*numbered, *alone), key=lambda measure: measure.start))


def _measure(text: str, quantity: Quantity) -> Measure:
    start, end, value = quantity.start, quantity.end, quantity.value
    if quantity.date:
        return Measure(start, end, value, Dimension.DATE, date=quantity.date)
    if quantity.kind is QuantityKind.PERCENT:
        return Measure(start, end, value, Dimension.PERCENT, "%")
    if quantity.kind is QuantityKind.MONEY:
        currency = re.search(r"[$£€¥]|dollar|euro", text[start:end])
        sign = {"dollar": "$", "euro": "€"}
        unit = sign.get(currency[0], currency[0]) if currency else ""
        return Measure(start, end, value, Dimension.MONEY, unit)
    for dimension, pattern, factor in _PATTERNS:
        if unit_match := pattern.match(text, end):
            unit = unit_match[0].strip(" \u00a0-")
            return Measure(
                start,
                unit_match.end(),
                value * factor,
                dimension,
                unit,
                rough=bool(_ROUGH.match(unit)) and dimension is Dimension.TIME,
            )
    counted = _COUNTED.match(text, end)
    unit = counted["noun"] if counted else ""
    return Measure(start, counted.end() if counted else end, value, Dimension.COUNT, unit)


def _one_of(match: re.Match[str]) -> Measure:
    unit = match["unit"]
    value = next(factor for names, factor in _SECONDS.items() if re.fullmatch(names, unit))
    rough = bool(_ROUGH.match(unit))
    return Measure(match.start(), match.end(), value, Dimension.TIME, unit, rough=rough)


_ROUGHLY = 0.1
"""The reach of "about", as a share of the amount."""
_A_MONTH_VARIES = 0.04
"""Months and years have no fixed length: one of 28 days is 8 % shorter than one of 31."""

_MORE = (
    r"(?:more|longer|greater|larger|bigger|higher|taller|older|heavier|deeper|wider|faster|later"
    r"|farther|further|better)"
)
_LESS = r"(?:less|fewer|shorter|lower|smaller|younger|lighter|slower|cheaper|earlier)"
_NOT = r"(?:no|not|never|cannot|can't|must not|may not|should not|does not|do not)"


class BoundKind(StrEnum):
    """A way in which an amount is meant."""

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
        """Tell if all of it lies in the other."""
        low = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open)
        )
        high = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open)
        )
        return low and high

    def apart(self, other: ValueRange) -> bool:
        """Tell if they have no value in common."""
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
