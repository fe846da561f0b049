"""An answer in the type that was asked for: an amount with its unit, an age in birthdays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from lacuna.quantities.amount import amount
from lacuna.quantities.arithmetic import written
from lacuna.quantities.dates import PartialDate, completed_years
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence

AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)


def typed(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """A quoted amount is a number with its unit, and an age counts the birthdays."""
    if answer.kind is AnswerKind.SPAN and (quoted := amount(answer.texts[0], question)):
        return Answer.number(quoted.value, quoted.text, *answer.found_at, unit=quoted.unit)
    if answer.unit == "years" and len(answer.found_at) == 2 and AGE.search(question):
        dates = [_date(place, documents) for place in answer.found_at]
        if dates[0] and dates[1] and (years := completed_years(dates[0], dates[1])) is not None:
            return replace(answer, value=float(years), texts=(written(float(years)),))
    return answer


def _date(place: Evidence, documents: Mapping[str, Document]) -> PartialDate | None:
    text = documents[place.document].text[place.start : place.end]
    return next((quantity.date for quantity in find_quantities(text)), None)
