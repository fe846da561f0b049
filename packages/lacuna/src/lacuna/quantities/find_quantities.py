"""Numbers and dates in a text, with their values and places."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ROUND_ORDINALS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

_CARDINAL_VALUES = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: value * 10 for value, word in enumerate(_TENS.split(), 2)},
}
_ORDINAL_VALUES = {
    **{word: value for value, word in enumerate(_ORDINALS.split(), 1)},
    **{word: value * 10 for value, word in enumerate(_ROUND_ORDINALS.split(), 2)},
}
_FIRST_WORDS = {**_CARDINAL_VALUES, "a": 1.0, "half": 0.5}
_DOZEN = 12
SCALES = {
    "dozen": _DOZEN,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}


def _either(words: Iterable[str]) -> str:
    """A pattern for any of the words, capitalised or not, that branches on the first letter."""
    ordered = sorted(words, key=lambda word: (word[0], -len(word)))
    letters = (
        f"[{letter}{letter.upper()}](?:{'|'.join(word[1:] for word in group)})"
        for letter, group in groupby(ordered, key=lambda word: word[0])
    )
    return f"(?:{'|'.join(letters)})\\b"


SCALE = _either(SCALES)
_NUMBER_WORD = _either([*_CARDINAL_VALUES, *_ORDINAL_VALUES])
_NEXT_WORD = _either([*_CARDINAL_VALUES, *_ORDINAL_VALUES, *SCALES])
# "half" alone is no quantity: in most texts it is the half of a match. The repeat is possessive:
# a long row of number words is read once and never again.
NUMBER_WORDS = (
    rf"(?:(?:[Hh]alf(?: a |[ -])|[Aa] ){SCALE}|(?<![0-9]-){_NUMBER_WORD})"
    rf"(?:(?: and |[ -]){_NEXT_WORD})*+"
)
FRACTION = (
    rf"(?:{_either(_ONES.split()[1:10])}-(?:{'|'.join(_PARTS)})s?\b|{_either(['one'])} third\b"
    rf"|{_either(['two'])} thirds\b)"
)

_WORD = re.compile(r"[a-z]+")


class NumberInWords(NamedTuple):
    """A number and where its words stand."""

    start: int
    end: int
    value: float
    ordinal: bool = False


def fraction_value(words: str) -> float:
    """The value of a fraction in words.

    >>> fraction_value("three-quarters")
    0.75
    """
    number, part = words.lower().replace("-", " ").split()
    return _CARDINAL_VALUES[number] / _PARTS[part.removesuffix("s")]


def read_number_words(run: str) -> Iterator[NumberInWords]:
    """The numbers in a row of number words, split where they do not add up to one.

    >>> [number.value for number in read_number_words("two thousand and three")]
    [2003.0]
    >>> [number.value for number in read_number_words("one hundred and two hundred")]
    [100.0, 200.0]
    """
    words = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(run.lower())]
    number = _Number()
    for index, (start, end, word) in enumerate(words):
        if word == "and":
            upcoming = [
                SCALES[later] for *_, later in words[index + 1 : index + 5] if later in SCALES
            ]
            done = not number.goes_on_after_and(upcoming)
        elif word == "a" and number.begun:  # half a million
            continue
        elif word in SCALES:
            done = not number.multiply(SCALES[word], end)
        else:
            ordinal = word in _ORDINAL_VALUES
            value = _ORDINAL_VALUES[word] if ordinal else _FIRST_WORDS.get(word, 0)
            if not number.add(value, start, end):
                yield number.result()
                number = _Number()
                number.add(value, start, end)
            number.ordinal = done = ordinal
        if done and number.begun:
            yield number.result()
            number = _Number()
    if number.begun:
        yield number.result()


class _Number:
    """A number that grows word by word."""

    __slots__ = ("_ceiling", "_closed", "_end", "_open", "_scale", "_start", "begun", "ordinal")

    def __init__(self) -> None:
        self.begun = self.ordinal = False
        self._start = self._end = 0
        self._closed = 0.0  # what a thousand or a million has closed
        self._open = 0.0  # what the next scale will multiply
        self._scale = math.inf  # the last scale word
        self._ceiling = math.inf  # a later thousand or million must be smaller

    def add(self, value: float, start: int, end: int) -> bool:
        """Add a word below a hundred; False if it cannot follow what is there."""
        if not self.begun:
            self.begun, self._start = True, start
        elif not self._open % 100:
            if not value or self._scale == math.inf:
                return False
        elif not (self._open % 100 >= 20 and not self._open % 10 and 0 < value < 10):
            return False
        self._open += value
        self._end = end
        return True

    def multiply(self, scale: int, end: int) -> bool:
        """Take a scale word; False if it cannot follow what is there."""
        if not self._open or scale >= self._ceiling or scale <= 100 <= self._open:
            return False
        if scale <= 100:
            self._open *= scale
        else:
            self._closed += self._open * scale
            self._open = 0.0
            self._ceiling = scale
        self._scale, self._end = scale, end
        return scale != _DOZEN

    def goes_on_after_and(self, upcoming: Sequence[int]) -> bool:
        """As in "two hundred and three", but not in "two hundred and three hundred"."""
        return self._scale < math.inf and all(scale < self._scale for scale in upcoming)

    def result(self) -> NumberInWords:
        return NumberInWords(self._start, self._end, self._closed + self._open, self.ordinal)


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

# Only capitalised: "may" and "march" are mostly verbs.
MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?"
    r"|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
BEFORE_CHRIST = r"(?:BCE?(?!\w)|B\.C\.(?:E\.)?)"
AFTER_CHRIST = r"(?:AD(?!\w)|CE(?!\w)|A\.D\.|C\.E\.)"
# A short year counts only with its era; "May 10, 1,204 people" has no year.
YEAR = (
    r"(?:(?:1[0-9]{3}|20[0-9]{2}|2100)(?![0-9]|,[0-9]{3}(?![0-9]))"
    rf"|[0-9]{{1,4}}(?= ?(?:{BEFORE_CHRIST}|{AFTER_CHRIST})))"
)

_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(MONTHS, 1)}


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A year and what else is known of the day; years before Christ are negative.

    >>> str(PartialDate(1987, 3, 12)), str(PartialDate(1987, 3)), str(PartialDate(-44))
    ('12 March 1987', 'March 1987', '44 BC')
    """

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def moment(self) -> tuple[int, int, int]:
        """A key to order dates by; an unknown part comes first."""
        return self.year, self.month or 0, self.day or 0

    @property
    def counted_year(self) -> int:
        """The year as one can calculate with it: 1 BC, which AD 1 follows, is 0.

        >>> PartialDate(14).counted_year - PartialDate(-44).counted_year
        57
        """
        return self.year + (self.year < 0)

    def __str__(self) -> str:
        year = str(self.year) if self.year >= 0 else f"{-self.year} BC"
        if self.month is None:
            return year
        day = "" if self.day is None else f"{self.day} "
        return f"{day}{MONTHS[self.month - 1]} {year}"


def month_number(name: str) -> int:
    """The number of a month by its name or abbreviation.

    >>> month_number("Sept.")
    9
    """
    return _MONTH_NUMBERS[name[:3]]


def days_between(earlier: PartialDate, later: PartialDate) -> int | None:
    """Days from one full date to another; None where a day is not known or does not exist.

    >>> days_between(PartialDate(1987, 2, 27), PartialDate(1987, 3, 2))
    3
    """
    first, last = _calendar_day(earlier), _calendar_day(later)
    return None if first is None or last is None else (last - first).days


def months_between(earlier: PartialDate, later: PartialDate) -> int | None:
    """Months from one date to another by the calendar's pages; None where a month is not known.

    >>> months_between(PartialDate(1986, 11), PartialDate(1987, 3, 2))
    4
    """
    if earlier.month is None or later.month is None:
        return None
    return (later.counted_year - earlier.counted_year) * 12 + later.month - earlier.month


def _calendar_day(when: PartialDate) -> date | None:
    if when.month is None or when.day is None:
        return None
    try:
        return date(when.year, when.month, when.day)
    except ValueError:  # 30 February, or a year before Christ
        return None


def completed_years(first: PartialDate, second: PartialDate) -> int | None:
    """Whole years between two days, as ages are counted; None if a day is not known.

    >>> completed_years(PartialDate(1987, 3, 12), PartialDate(1950, 5, 3))
    36
    """
    begin, end = sorted((first, second), key=lambda date: date.moment)
    if not (begin.month and begin.day and end.month and end.day):
        return None
    years = end.counted_year - begin.counted_year
    return years - ((end.month, end.day) < (begin.month, begin.day))


# Numbers and dates in a text, with their values and places.
#
# One pattern finds every candidate in a single pass. dateutil was considered for dates: it parses
# a string that is known to be one, and fills what the text does not say (a month, a day) with
# today's.


class QuantityKind(StrEnum):
    """The kind of thing that a number counts."""

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
    """Tell if what follows a number says that it is not a year."""
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
