"""Questions that two simpler ones answer together: both are asked, and their answers combined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lacuna.pipeline.result import Quote, Result
from lacuna.pipeline.shaping.two_lookups import LookupOperation, TwoLookups
from lacuna.pipeline.trace import Candidate, Stage, Step
from lacuna.quantities.arithmetic import Calculation, calculate, readable
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.types import Answer, AnswerKind, Prediction

DATES = (
    LookupOperation.TIME_BETWEEN,
    LookupOperation.CHOOSE_SOONER,
    LookupOperation.CHOOSE_LATER,
)
CALCULATED = (LookupOperation.MINUS, LookupOperation.TIME_BETWEEN)


class LookedUp(NamedTuple):
    """A number or date that one of the questions was answered with."""

    quantity: Quantity
    answer: Answer
    confidence: float
    quotes: tuple[Quote, ...]


def combined(asked: Result, lookups: TwoLookups, first: Result, second: Result) -> Result:
    """What both answers make together, where that is likelier right than what was answered."""
    one, other = (_best(result, lookups.operation) for result in (first, second))
    if one is None or other is None or one.answer.found_at == other.answer.found_at:
        return asked
    answer = _together(asked.question, lookups, one, other)
    sure = one.confidence * other.confidence
    if answer is None or sure <= _confidence(asked):
        return asked
    message = f"Two questions were looked up: {lookups.first} {lookups.second}"
    step = Step(Stage.ANSWER, 0, message, (Candidate("", sure, True, answer.text),), 0.0)
    return replace(
        asked,
        prediction=Prediction(answer, answer.found_at, confidence=sure),
        quotes=(*one.quotes, *other.quotes),
        steps=(*asked.steps, *first.steps, *second.steps, step),
    )


def _confidence(result: Result) -> float:
    """How likely the answer is right that was given, 0 where none was."""
    return 0.0 if result.answer.kind is AnswerKind.NONE else result.confidence or 0.0


def _best(result: Result, operation: LookupOperation) -> LookedUp | None:
    """The likeliest answer that is a number, or where dates are compared, a date."""
    for answer, confidence, quotes in _considered(result):
        found = find_quantities(answer.text)
        if len(found) == 1 and (operation not in DATES or found[0].date):
            return LookedUp(found[0], answer, confidence, quotes)
    return None


def _considered(result: Result) -> Iterator[tuple[Answer, float, tuple[Quote, ...]]]:
    if result.answer.kind is not AnswerKind.NONE:
        yield result.answer, result.confidence or 0.0, result.quotes
    for other in result.alternatives:
        yield other.answer, other.confidence, other.quotes


def _together(question: str, lookups: TwoLookups, one: LookedUp, other: LookedUp) -> Answer | None:
    places = (*one.answer.found_at, *other.answer.found_at)
    if lookups.operation in CALCULATED:
        difference = _difference(question, one.quantity, other.quantity)
        if difference is None:
            return None
        unit = difference.unit or one.answer.unit
        return Answer.number(
            difference.value,
            readable(difference.value),
            *places,
            unit=unit,
            expression=difference.expression,
        )
    values = [_value(each.quantity, lookups.operation) for each in (one, other)]
    if values[0] == values[1]:
        return None
    most = lookups.operation in (LookupOperation.CHOOSE_MORE, LookupOperation.CHOOSE_LATER)
    chosen = lookups.names[0 if (values[0] > values[1]) is most else 1]
    sign = ">" if values[0] > values[1] else "<"
    expression = f"{one.answer.text} {sign} {other.answer.text}"
    return replace(Answer.span(chosen, *places), expression=expression)


def _difference(question: str, one: Quantity, other: Quantity) -> Calculation | None:
    """The larger less the smaller: which one a question names first says little."""
    larger, smaller = (one, other) if one.value >= other.value else (other, one)
    try:
        return calculate([(1, larger), (-1, smaller)], question)
    except ValueError:  # a date and a plain number
        return None


def _value(quantity: Quantity, operation: LookupOperation) -> tuple[float, ...]:
    if operation in DATES and quantity.date:
        return tuple(map(float, quantity.date.moment))
    return (quantity.value,)
