"""Amounts with their units, made comparable: "900 seconds" and "10 minutes" are both times.

What has no unit in the table is a count of what stands behind it: "three districts".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from lacuna.quantities.dates import PartialDate
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities


class Dimension(StrEnum):
    """What can be compared with what."""

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
