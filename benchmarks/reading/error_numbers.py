"""What is wrong with a number, by the numbers of the texts."""

from __future__ import annotations

import re

from benchmarks.reading.error_places import texts_of
from lacuna.datasets.drop import number_value
from lacuna.models.reader.decode import LENGTH_OF_TIME, asks_for_a_difference
from lacuna.quantities.arithmetic import HUNDRED
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.types import Answer, AnswerKind, Question
from lacuna_lab.train.instances import derivations

LARGEST_COUNT = 9
"""The largest count that the reader can say."""
MEASURED = (
    "points|yards|feet|miles|met(?:er|re)s|kilomet(?:er|re)s|acres|years|months|weeks|days|hours"
    "|minutes|seconds|percent|percentage|dollars|euros|pounds|thousands?|millions?"
)
COUNTS_THINGS = re.compile(
    rf"\bhow many (?!(?:[\w-]+ )?(?:{MEASURED})\b)|\bnumber of\b", re.IGNORECASE
)
COUNTED = re.compile(r"(?:[ -]\w+)?")
"""What may stand behind a number that is the whole answer."""
HAS_A_BOUND = re.compile(r"\bthan \d", re.IGNORECASE)
"""What is longer than 10 yards is counted; how much longer than another it is, calculated."""


def number_in(text: str) -> float | None:
    """The one number of a text that says little else; None for other texts.

    >>> number_in("1,204"), number_in("twelve yards"), number_in("a four-eyed mask")
    (1204.0, 12.0, None)
    """
    if (value := number_value(text)) is not None:
        return value
    quantities = find_quantities(text)
    if len(quantities) != 1 or quantities[0].date or quantities[0].start:
        return None
    return quantities[0].value if COUNTED.fullmatch(text, quantities[0].end) else None


def wanted_numbers(answers: tuple[Answer, ...]) -> list[float]:
    """The values of those references that are numbers."""
    read = (number_in(a.texts[0]) for a in answers if a.kind is AnswerKind.NUMBER)
    return [value for value in read if value is not None]


def compares(question: str) -> bool:
    """Whether a difference or a length of time is asked for."""
    bound = HAS_A_BOUND.search(question)
    difference = asks_for_a_difference(question) and not bound
    return difference or LENGTH_OF_TIME.search(question) is not None


def wants_a_count(question: str, wanted: list[float]) -> bool:
    """Whether things are to be counted: how many of them, few enough, and no measure or difference.

    >>> wants_a_count("How many field goals did he kick?", [3.0])
    True
    >>> wants_a_count("How many yards was the kick?", [9.0])
    False
    """
    few = any(map(is_small, wanted))
    return few and not compares(question) and COUNTS_THINGS.search(question) is not None


def is_small(value: float) -> bool:
    """Whether the reader could have counted so far."""
    return value.is_integer() and 0 <= value <= LARGEST_COUNT


def quantities_of(seen: Question) -> tuple[Quantity, ...]:
    """All numbers of the texts, the implicit hundred first."""
    return (HUNDRED, *(q for text in texts_of(seen) for q in find_quantities(text.text)))


def calculable(value: float, seen: Question) -> bool:
    """Whether one number of the texts, or a sum or difference of up to three, gives the value.

    Of three numbers only where the texts have 30 at most: of more, some three give anything.
    """
    return bool(derivations(value, quantities_of(seen), seen.text, limit=1))


def stands_there(value: float, seen: Question) -> bool:
    """Whether a number of the texts has that value."""
    return any(quantity.value == value for quantity in quantities_of(seen)[1:])
