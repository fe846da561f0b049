"""The numbers of an input, and the calculation that the signs over them amount to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from lacuna.answer.arithmetic import HUNDRED, calculate
from lacuna.answer.quantities import Quantity, find_quantities
from lacuna.read.heads import SIGNS, Columns
from lacuna.read.sequence import Input, TextPlace
from lacuna.types import Answer, Evidence

Scores = NDArray[np.float32]
TRIED = 5
"""Numbers of each sign that are tried together; beyond these a combination is never the best."""
find_quantities_once = lru_cache(maxsize=4096)(find_quantities)
"""The questions of a dialog or a passage share their texts."""


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


def placed_quantities(read: Input) -> list[PlacedQuantity]:
    """Every number that an input holds, the implicit hundred first."""
    placed = [PlacedQuantity(HUNDRED, TextPlace(0, 0), None)]
    for document in dict.fromkeys(stretch.document for stretch in read.stretches):
        text = read.reading.documents[document].text
        for quantity in find_quantities_once(text):
            places = read.places(document, quantity.start, quantity.end)
            placed.extend(PlacedQuantity(quantity, place, document) for place in places)
    return placed


def derive(read: Input, per_token: Scores, question: str) -> Derived | None:
    """The best calculation over the numbers of an input, or None if it has none."""
    placed = placed_quantities(read)
    if len(placed) == 1:
        return None
    first, last = Columns.SIGN
    places = np.array([one.place for one in placed])
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
    for score, terms in tried:  # noqa: B007 - the score of the one that fits is used below
        try:
            made = calculate([(sign, placed[i].quantity) for i, sign in terms], question)
        except ValueError:  # a sum of two dates
            continue
        break
    else:
        return None
    found = [_evidence(read, placed[index]) for index, _ in terms]
    answer = Answer.number(
        made.value,
        made.text,
        *(place for place in found if place is not None),
        unit=made.unit,
        expression=made.expression if len(terms) > 1 else "",
    )
    return Derived(answer, float(zero.sum()) + score)


def _combinations(top: dict[int, list[int]]) -> list[tuple[tuple[int, int], ...]]:
    """What may be calculated: x, x − y, x + y, x + y + z; the hundred only as 100 − x (− y)."""
    real_plus, real_minus = ([index for index in top[sign] if index != 0] for sign in (1, -1))
    made: list[tuple[tuple[int, int], ...]] = [((index, 1),) for index in real_plus]
    for size in (2, 3):
        made += [tuple((index, 1) for index in some) for some in combinations(real_plus, size)]
    made += [((a, 1), (b, -1)) for a, b in product(real_plus, real_minus) if a != b]
    made += [((0, 1), (index, -1)) for index in real_minus]
    made += [((0, 1), (a, -1), (b, -1)) for a, b in combinations(real_minus, 2)]
    return made


def _evidence(read: Input, placed: PlacedQuantity) -> Evidence | None:
    if placed.document is None:
        return None
    title = read.reading.documents[placed.document].title
    return Evidence(title, placed.quantity.start, placed.quantity.end)
