"""Numbers and dates in a text, with their values and places.

One pattern finds every candidate in a single pass. dateutil was considered for dates: it parses a
string that is known to be one, and fills what the text does not say (a month, a day) with today's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from lacuna.quantities.dates import (
    AFTER_CHRIST,
    BEFORE_CHRIST,
    DAY,
    MONTH,
    YEAR,
    PartialDate,
    month_number,
)
from lacuna.quantities.number_words import (
    FRACTION,
    NUMBER_WORDS,
    SCALE,
    SCALES,
    fraction_value,
    read_number_words,
)


class QuantityKind(StrEnum):
    """What a number counts."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    ORDINAL = "ordinal"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at ``text[start:end]``; the value of a date is its year."""

    start: int
    end: int
    value: float
    kind: QuantityKind = QuantityKind.NUMBER
    date: PartialDate | None = None


_GLYPHS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_MONEY_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_TOO_LARGE = 1e15  # the number of a book or an account, and a float would not hold its digits

# A minus stands after a space or a bracket, and not between two numbers: "24 -17" is a score.
_MINUS = r"(?:(?<![^\s(\[])(?<![0-9][ \u00a0])[-−])"
_CURRENCY = r"(?:(?:US|AU|CA|NZ|HK|[AC])?\$ ?|[£€¥] ?)"
_DIGITS = r"[0-9]{1,3}(?:,[0-9]{3}(?![0-9]))++(?:\.[0-9]+)?|[0-9]++(?:\.[0-9]+)?|(?<!\.)\.[0-9]+"
_CANDIDATE = re.compile(
    rf"(?<!\w)(?:"
    rf"(?P<day_first>(?P<day>{DAY})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH}),? (?P<year>{YEAR}))"
    rf"|(?P<iso>(?P<y>[12][0-9]{{3}})-(?P<m>0[1-9]|1[0-2])-(?P<d>{DAY})(?![0-9-]))"
    rf"|(?P<numeral>(?P<minus>{_MINUS})?(?P<currency>{_CURRENCY})?"
    rf"(?P<digits>{_DIGITS}|(?=[½¼¾⅓⅔]))(?P<glyph>[½¼¾⅓⅔])?"
    rf"(?:(?P<ordinal>st|nd|rd|th)\b|(?P<plural>(?:(?<=0)['’])?s)\b)?)"
    rf"|(?P<month_first>(?P<month_2>{MONTH})(?: (?P<day_2>{DAY})(?:st|nd|rd|th)?)?,? "
    rf"(?P<year_2>{YEAR}))"
    rf"|(?P<anno>{AFTER_CHRIST} (?P<year_3>[0-9]{{1,4}})(?![0-9]))"
    rf"|(?P<fraction>{FRACTION})"
    rf"|(?P<words>{NUMBER_WORDS})"
    rf")"
)
_AFTER = re.compile(
    rf"(?P<half> and a half\b)?(?:[ \u00a0-](?P<scale>{SCALE})|(?P<short>(?:k|mn?|bn?|[KMB])\b))?"
    r"(?:(?P<percent>[ \u00a0]?%|[ \u00a0-]per[ -]?cent\b| percentage points?\b)"
    r"|(?P<money>[ -](?:dollar|euro)s?\b))?"
)
_ERA = re.compile(rf" ?(?:(?P<before>{BEFORE_CHRIST})|{AFTER_CHRIST})")
# A number before one of these is a measure or a count, though it looks like a year.
_COUNTED = re.compile(
    r"[^\W\d_]|[ -](?:k?m|kg|ft|feet|foot|miles?|met(?:re|er)s?|yards?|acres?|tons?|tonnes?|people"
    r"|men|women|children|troops|soldiers|votes|points|households|families|inhabitants)\b"
)


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every number and date of a text, in order and without overlap.

    >>> [(q.value, str(q.kind)) for q in find_quantities("$3.5 million since 12 March 1987")]
    [(3500000.0, 'money'), (1987.0, 'date')]
    >>> [q.value for q in find_quantities("1984–85: twenty-one games, won 24-17")]
    [1984.0, 1985.0, 21.0, 24.0, 17.0]
    """
    quantities: list[Quantity] = []
    reached = 0
    for match in _CANDIDATE.finditer(text):
        if match.start() < reached:  # in a suffix that the last one took
            continue
        for quantity in _PARSERS[match.lastgroup or ""](text, match):
            before = quantity.start - 1
            if quantities and quantities[-1].end == before and text[before] in "-–—/":
                quantities[-1:] = _as_range(quantities[-1], quantity)
            else:
                quantities.append(quantity)
            reached = quantity.end
    return tuple(quantities)


def _numeral(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    minus, currency, digits, glyph, ordinal = match.group(
        "minus", "currency", "digits", "glyph", "ordinal"
    )
    start, end = match.span()
    value = float(digits.replace(",", "") or 0) + _GLYPHS.get(glyph, 0.0)
    if value >= _TOO_LARGE:
        return ()
    if ordinal:
        return (Quantity(start, end, value, QuantityKind.ORDINAL),)
    if digits.isdigit() and len(digits) <= 4 and not (minus or currency or glyph):
        era = _ERA.match(text, end)
        if era:
            return (_year(start, era.end(), int(digits), before=bool(era["before"])),)
        if len(digits) == 4 and 1000 <= value <= 2100 and not _measures(text, end):
            return (_year(start, end, int(digits)),)
    quantity = Quantity(start, end, -value if minus else value)
    return (_with_suffix(text, quantity, is_money=bool(currency)),)


def _measures(text: str, end: int) -> bool:
    """Whether what follows a number says that it is not a year."""
    after = _AFTER.match(text, end)
    return bool(after and after.end() > end) or _COUNTED.match(text, end) is not None


def _with_suffix(text: str, quantity: Quantity, *, is_money: bool = False) -> Quantity:
    """Take in what may follow a number: "and a half", "million", "%", "dollars"."""
    after = _AFTER.match(text, quantity.end)
    kind = QuantityKind.MONEY if is_money else quantity.kind
    if after is None or after.end() == quantity.end:
        return replace(quantity, kind=kind) if is_money else quantity
    half, scale, short, percent, money = after.groups()
    value, end = quantity.value, after.end()
    if half:
        value += 0.5
    if scale:
        value = round(value * SCALES[scale.lower()], 2)
    if short and is_money:
        value = round(value * _MONEY_SCALES[short.lower()], 2)
    elif short:  # "5m" is five metres
        end = quantity.end
    if percent:
        kind = QuantityKind.PERCENT
    elif money:
        kind = QuantityKind.MONEY
    return Quantity(quantity.start, end, value, kind)


def _in_words(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    offset = match.start()
    numbers = [
        Quantity(
            offset + number.start,
            offset + number.end,
            number.value,
            QuantityKind.ORDINAL if number.ordinal else QuantityKind.NUMBER,
        )
        for number in read_number_words(match.group())
    ]
    if numbers and numbers[-1].kind is QuantityKind.NUMBER:
        numbers[-1] = _with_suffix(text, numbers[-1])
    return numbers


def _fraction(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    return (Quantity(*match.span(), fraction_value(match.group())),)


def _day_first(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    return (_date(text, match, *match.group("year", "month", "day")),)


def _month_first(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    return (_date(text, match, *match.group("year_2", "month_2", "day_2")),)


def _iso(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    year, month, day = (int(part) for part in match.group("y", "m", "d"))
    return (Quantity(*match.span(), float(year), QuantityKind.DATE, PartialDate(year, month, day)),)


def _anno(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    return (_year(*match.span(), int(match["year_3"])),)


def _date(text: str, match: re.Match[str], year: str, month: str, day: str | None) -> Quantity:
    era = _ERA.match(text, match.end())
    quantity = _year(
        match.start(),
        era.end() if era else match.end(),
        int(year),
        before=bool(era and era["before"]),
    )
    when = PartialDate(int(quantity.value), month_number(month), int(day) if day else None)
    return replace(quantity, date=when)


def _year(start: int, end: int, year: int, *, before: bool = False) -> Quantity:
    signed = -year if before else year
    return Quantity(start, end, float(signed), QuantityKind.DATE, PartialDate(signed))


def _as_range(first: Quantity, last: Quantity) -> tuple[Quantity, Quantity]:
    """Complete what a range leaves out: in "1984–85", "5–9 May 1918", "100–44 BC"."""
    if not (first.value.is_integer() and last.value.is_integer()):
        return first, last
    if first.date and not first.date.month and last.kind is QuantityKind.NUMBER:
        span = 10 if last.end - last.start == 1 else 100
        year = first.date.year // span * span + int(last.value)
        if first.date.year % 100 == 99 and not last.value:  # 1999–00
            year += 100
        if last.value < span and year > first.date.year > 0:
            return first, _year(last.start, last.end, year)
    elif last.date and first.kind is QuantityKind.NUMBER:
        if last.date.day and 0 < first.value < last.date.day:
            when = replace(last.date, day=int(first.value))
            return Quantity(first.start, first.end, last.value, QuantityKind.DATE, when), last
        if 0 < -last.value < first.value:
            return _year(first.start, first.end, int(first.value), before=True), last
    return first, last


_PARSERS: dict[str, Callable[[str, re.Match[str]], Iterable[Quantity]]] = {
    "day_first": _day_first,
    "iso": _iso,
    "numeral": _numeral,
    "month_first": _month_first,
    "anno": _anno,
    "fraction": _fraction,
    "words": _in_words,
}
