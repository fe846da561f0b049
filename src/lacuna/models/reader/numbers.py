"""The numbers of an input, and the calculation that the signs over them amount to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from lacuna.models.reader.heads import SIGNS, Columns
from lacuna.models.reader.model_input import ModelInput, Segment, TextPlace
from lacuna.models.reader.question_form import asks_for_a_difference
from lacuna.quantities.arithmetic import HUNDRED, Term, calculate
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities
from lacuna.types import Answer, Evidence

Scores = NDArray[np.float32]
TRIED = 5
"""Numbers of each sign that are tried together; beyond these a combination is never the best."""
LENGTH_OF_TIME = re.compile(
    r"\bhow (?:old|long|many (?:[\w-]+ ){0,3}?(?:years?|months?|days?))\b|\bwhat age\b",
    re.IGNORECASE,
)
find_quantities_once = lru_cache(maxsize=512)(find_quantities)
"""The windows of a text share its numbers, and so do the questions of a dialog or a context."""


@dataclass(frozen=True, slots=True)
class PlacedQuantity:
    """A number with its tokens; the implicit hundred stands at the first token of all."""

    quantity: Quantity
    place: TextPlace
    document: int | None


@dataclass(frozen=True, slots=True)
class Derived:
    """A number answer and how sure the signs are of it."""

    answer: Answer
    log_probability: float


def placed_quantities(model_input: ModelInput) -> list[PlacedQuantity]:
    """Every number that an input holds, the implicit hundred first."""
    placed = [PlacedQuantity(HUNDRED, TextPlace(0, 0), None)]
    for segment in model_input.segments:
        near = _around(model_input, segment)
        tokens = model_input.encoded.tokens[segment.document]
        covers = tokens.covers([(quantity.start, quantity.end) for quantity in near])
        placed += [
            PlacedQuantity(near[index], place, segment.document)
            for index, place in segment.holds(covers)
        ]
    return placed


def _around(model_input: ModelInput, segment: Segment) -> Sequence[Quantity]:
    """The numbers in a segment or on its edge: one window of a long text has few of them."""
    if segment.first == segment.last:
        return ()
    quantities = find_quantities_once(model_input.encoded.documents[segment.document].text)
    tokens = model_input.encoded.tokens[segment.document]
    begin, end = int(tokens.starts[segment.first]), int(tokens.ends[segment.last - 1])
    first = bisect_right(quantities, begin, key=lambda quantity: quantity.end)
    return quantities[first : bisect_left(quantities, end, key=lambda quantity: quantity.start)]


def derive(model_input: ModelInput, per_token: Scores, question: str) -> Derived | None:
    """The best calculation over the numbers of an input, or None if it has none."""
    placed = placed_quantities(model_input)
    if len(placed) == 1:
        return None
    first, last = Columns.SIGN
    places = np.array([quantity.place for quantity in placed])
    logits = per_token[places[:, 0], first] + per_token[places[:, 1], last]
    log_sign = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    zero, plus, minus = (log_sign[:, SIGNS.index(sign)] for sign in (0, 1, -1))
    gain = {1: plus - zero, -1: minus - zero}
    top = {
        sign: np.argsort(-values, kind="stable")[:TRIED].tolist() for sign, values in gain.items()
    }
    tried = sorted(
        ((float(sum(gain[sign][i] for i, sign in terms)), terms) for terms in _combinations(top)),
        key=lambda pair: -pair[0],
    )
    for score, terms in tried:
        try:
            calculation = calculate([(sign, placed[i].quantity) for i, sign in terms], question)
        except ValueError:  # a sum of two dates
            continue
        if not _sensible(
            calculation.value, [(sign, placed[i].quantity) for i, sign in terms], question
        ):
            continue
        places_of = [_evidence(model_input, placed[index]) for index, _ in terms]
        answer = Answer.number(
            calculation.value,
            calculation.text,
            *(place for place in places_of if place is not None),
            unit=calculation.unit,
            expression=calculation.expression if len(terms) > 1 else "",
        )
        return Derived(answer, float(zero.sum()) + score)
    return None


def _sensible(value: float, terms: Sequence[Term], question: str) -> bool:
    """No negative amount, no length of time out of a date to which nothing is compared, and no sum
    where a difference is asked for."""
    subtracts = any(sign < 0 for sign, _ in terms)
    dated = any(quantity.kind is QuantityKind.DATE for _, quantity in terms)
    if value < 0 or (dated and not subtracts and LENGTH_OF_TIME.search(question)):
        return False
    return subtracts or len(terms) == 1 or not asks_for_a_difference(question)


def _combinations(top: dict[int, list[int]]) -> list[tuple[tuple[int, int], ...]]:
    """What may be calculated: x, x − y, x + y, x + y + z; the hundred only as 100 − x (− y)."""
    real_plus, real_minus = ([index for index in top[sign] if index != 0] for sign in (1, -1))
    combined: list[tuple[tuple[int, int], ...]] = [((index, 1),) for index in real_plus]
    for size in (2, 3):
        combined += [tuple((index, 1) for index in some) for some in combinations(real_plus, size)]
    combined += [((a, 1), (b, -1)) for a, b in product(real_plus, real_minus) if a != b]
    combined += [((0, 1), (index, -1)) for index in real_minus]
    combined += [((0, 1), (a, -1), (b, -1)) for a, b in combinations(real_minus, 2)]
    return combined


def _evidence(model_input: ModelInput, placed: PlacedQuantity) -> Evidence | None:
    if placed.document is None:
        return None
    title = model_input.encoded.documents[placed.document].title
    return Evidence(title, placed.quantity.start, placed.quantity.end)
