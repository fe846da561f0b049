"""Questions that two simpler ones answer together: both are asked, and their answers combined."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lacuna.pipeline.result import ALTERNATIVES, Alternative, Quote, Result
from lacuna.pipeline.shaping.two_lookups import LookupOperation, TwoLookups
from lacuna.pipeline.trace import Candidate, Stage, Step
from lacuna.quantities.arithmetic import Calculation, calculate, readable
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.quantities.measures import Dimension, Measure, find_measures
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
    measure: Measure
    """The same number with its unit."""
    answer: Answer
    confidence: float
    quotes: tuple[Quote, ...]


def combined(
    asked: Result, lookups: TwoLookups, first: Result, second: Result, *, least: float
) -> Result:
    """What both answers make together, where that is likelier right than what was answered.

    Else it is one of the alternatives; so too where both are right with a smaller chance than
    ``least``. The last step tells of it in any case.
    """
    both = _both(asked.question, lookups, first, second)
    is_better = both is not None and both.confidence >= max(least, _confidence(asked))
    message = f"Two questions were looked up: {lookups.first} {lookups.second}"
    found = (Candidate("", both.confidence, is_better, both.answer.text),) if both else ()
    step = Step(Stage.ANSWER, 0, message, found, 0.0)
    asked = replace(asked, steps=(*asked.steps, *first.steps, *second.steps, step))
    if both is None:
        return asked
    if not is_better:
        return _with_alternative(asked, both)
    if asked.answer.kind is not AnswerKind.NONE:
        before = Alternative(asked.answer, _confidence(asked), asked.quotes)
        asked = _with_alternative(asked, before)
    prediction = Prediction(both.answer, both.answer.found_at, confidence=both.confidence)
    return replace(asked, prediction=prediction, quotes=both.quotes)


def _both(question: str, lookups: TwoLookups, first: Result, second: Result) -> Alternative | None:
    """What the answers of both questions make; as likely right as both of them are."""
    one, other = (_best(result, lookups.operation) for result in (first, second))
    if one is None or other is None or one.answer.found_at == other.answer.found_at:
        return None
    answer = _together(question, lookups, one, other)
    if answer is None:
        return None
    return Alternative(answer, one.confidence * other.confidence, (*one.quotes, *other.quotes))


def _confidence(result: Result) -> float:
    """How likely the answer is right that was given, 0 where none was."""
    return 0.0 if result.answer.kind is AnswerKind.NONE else result.confidence or 0.0


def _with_alternative(result: Result, other: Alternative) -> Result:
    every = sorted((*result.alternatives, other), key=lambda each: -each.confidence)
    return replace(result, alternatives=tuple(every[:ALTERNATIVES]))


def _best(result: Result, operation: LookupOperation) -> LookedUp | None:
    """The likeliest answer that is a number, or where dates are compared, a date."""
    for answer, confidence, quotes in _considered(result):
        found, measures = find_quantities(answer.text), find_measures(answer.text)
        if len(found) == len(measures) == 1 and (operation not in DATES or found[0].date):
            return LookedUp(found[0], measures[0], answer, confidence, quotes)
    return None


def _considered(result: Result) -> Iterator[tuple[Answer, float, tuple[Quote, ...]]]:
    if result.answer.kind is not AnswerKind.NONE:
        yield result.answer, result.confidence or 0.0, result.quotes
    for other in result.alternatives:
        yield other.answer, other.confidence, other.quotes


def _together(question: str, lookups: TwoLookups, one: LookedUp, other: LookedUp) -> Answer | None:
    if not _alike(one.measure, other.measure):
        return None
    places = (*one.answer.found_at, *other.answer.found_at)
    if lookups.operation in CALCULATED:
        difference = _difference(question, one, other)
        if difference is None:
            return None
        unit = difference.unit or one.answer.unit or other.answer.unit
        return Answer.number(
            difference.value,
            readable(difference.value),
            *places,
            unit=unit,
            expression=difference.expression,
        )
    values = _value(one, other), _value(other, one)
    if values[0] == values[1]:
        return None
    most = lookups.operation in (LookupOperation.CHOOSE_MORE, LookupOperation.CHOOSE_LATER)
    chosen = lookups.names[0 if (values[0] > values[1]) is most else 1]
    sign = ">" if values[0] > values[1] else "<"
    expression = f"{one.answer.text} {sign} {other.answer.text}"
    return replace(Answer.span(chosen, *places), expression=expression)


def _alike(one: Measure, other: Measure) -> bool:
    """Whether two amounts can be compared; a bare number has the unit of the other."""
    if one.dimension is not other.dimension:
        return _is_bare(one) or _is_bare(other)
    return one.dimension is not Dimension.MONEY or one.unit == other.unit


def _is_bare(measure: Measure) -> bool:
    return measure.dimension is Dimension.COUNT and not measure.unit


def _difference(question: str, one: LookedUp, other: LookedUp) -> Calculation | None:
    """The larger less the smaller: which one a question names first says little."""
    if one.measure.dimension is other.measure.dimension and not _same_unit(one, other):
        return None
    larger, smaller = sorted((one.quantity, other.quantity), key=lambda each: -each.value)
    try:
        return calculate([(1, larger), (-1, smaller)], question)
    except ValueError:  # a date and a plain number
        return None


def _same_unit(one: LookedUp, other: LookedUp) -> bool:
    """Whether the numbers themselves can be subtracted: not metres from kilometres."""
    return math.isclose(
        one.measure.value * other.quantity.value, other.measure.value * one.quantity.value
    )


def _value(own: LookedUp, other: LookedUp) -> tuple[float, ...]:
    """What is compared with the other one."""
    if own.quantity.date and other.quantity.date:
        return tuple(map(float, own.quantity.date.moment))
    alike = own.measure.dimension is other.measure.dimension
    return (own.measure.value if alike else own.quantity.value,)
