"""Dates as texts give them: a year, often a month, sometimes a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

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
        """What dates are ordered by; what is not known comes first."""
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
