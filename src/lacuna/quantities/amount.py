"""A text that is a number, where a number is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lacuna.quantities.arithmetic import readable
from lacuna.quantities.find_quantities import QuantityKind, find_quantities

_ASKS_FOR_A_NUMBER = re.compile(
    r"\bhow (?:many|much|old|long|far|high|tall|large|big|deep|wide|heavy|fast|often)\b"
    r"|\bwhat (?:age|number|percentage)\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"-?[0-9][0-9,.]*(?: ?%)?")
_UNIT = re.compile(r"(?:[ \u00a0-][^\W\d_]+){0,3}")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with what it counts."""

    value: float
    text: str
    unit: str


def amount(text: str, question: str) -> Amount | None:
    """The number that a text is, if the question asks for one and the text says nothing else.

    >>> amount("684 metres", "How high is the hill?")
    Amount(value=684.0, text='684', unit='metres')
    >>> amount("eleven", "How many houses were there?").text
    '11'
    >>> amount("9,800 years", "How old is it?").text, amount("37%", "How much of it?").text
    ('9,800', '37%')
    >>> amount("12 March 1987", "How long did it last?") is None
    True
    """
    if not _ASKS_FOR_A_NUMBER.search(question):
        return None
    quantities = find_quantities(text)
    if len(quantities) != 1:
        return None
    (quantity,) = quantities
    plain = quantity.kind in (QuantityKind.NUMBER, QuantityKind.PERCENT)
    if not plain or quantity.start or not _UNIT.fullmatch(text, quantity.end):
        return None
    unit = text[quantity.end :].strip(" \u00a0-")
    digits = text[quantity.start : quantity.end]
    # What is written in digits stays so: "9,800", "37%", and 5432 as the number of something.
    quoted = digits if _DIGITS.fullmatch(digits) else readable(quantity.value)
    return Amount(quantity.value, quoted, unit)
