"""How a number that annotators gave may have been calculated from what the text says.

Datasets give the result of a calculation but not its terms; a model is trained on all the ways
there are, and learns which of them are likely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice

from lacuna.quantities.arithmetic import HUNDRED, asked_unit, time_between
from lacuna.quantities.find_quantities import Quantity

Derivation = tuple[tuple[int, int], ...]
"""Indices of quantities, each with its sign."""

_DECIMALS = 4  # values that agree so far are the same; floats are not exact, nor are annotators
_MOST_FOR_TRIPLES = 30  # among more, some three add up to anything


def derivations(
    target: float, quantities: Sequence[Quantity], question: str, *, limit: int = 64
) -> list[Derivation]:
    """All ways to get the target as x, x − y, x + y or, failing these, x + y + z.

    ``HUNDRED``, if it comes first, is only ever subtracted from: 100 − x, 100 − x − y.

    >>> from lacuna.quantities.find_quantities import find_quantities
    >>> quantities = find_quantities("He was 5 in 1919, and 12 years later, in 1931, he left.")
    >>> derivations(12, quantities, "How many years passed?")
    [((2, 1),), ((3, 1), (1, -1))]
    """
    search = _Search(target, quantities, question)
    ways = list(islice(chain(search.singles(), search.pairs()), limit))
    if ways or len(search.in_text) > _MOST_FOR_TRIPLES:
        return ways
    return list(islice(search.triples(), limit))


class _Search:
    def __init__(self, target: float, quantities: Sequence[Quantity], question: str) -> None:
        self._target = target
        self._quantities = quantities
        self._values = [quantity.value for quantity in quantities]
        self._unit = asked_unit(question)
        self._has_hundred = bool(quantities) and quantities[0] == HUNDRED
        self.in_text = range(int(self._has_hundred), len(quantities))
        self._places: defaultdict[float, list[int]] = defaultdict(list)
        for index in self.in_text:
            self._places[round(self._values[index], _DECIMALS)].append(index)

    def singles(self) -> Iterator[Derivation]:
        for index in self._at(self._target):
            yield ((index, 1),)

    def pairs(self) -> Iterator[Derivation]:
        for index in self.in_text:
            value = self._values[index]
            for other in self._at(value - self._target):
                if self._may_subtract(index, other):
                    yield (index, 1), (other, -1)
            for other in self._at(self._target - value):
                if other > index and self._may_add(index, other):
                    yield (index, 1), (other, 1)
        if self._has_hundred:
            for index in self._at(100 - self._target):
                yield (0, 1), (index, -1)
        if self._unit in ("days", "months"):
            yield from self._time_spans()

    def triples(self) -> Iterator[Derivation]:
        for first, second in combinations(self.in_text, 2):
            if not self._may_add(first, second):
                continue
            both = self._values[first] + self._values[second]
            for third in self._at(self._target - both):
                if third > second and self._may_add(first, third) and self._may_add(second, third):
                    yield (first, 1), (second, 1), (third, 1)
            if self._has_hundred and self._same(100 - both, self._target):
                yield (0, 1), (first, -1), (second, -1)

    def _at(self, value: float) -> Sequence[int]:
        return self._places.get(round(value, _DECIMALS), ())

    def _same(self, value: float, other: float) -> bool:
        return round(value, _DECIMALS) == round(other, _DECIMALS)

    def _may_subtract(self, index: int, other: int) -> bool:
        if self._target == 0 and index >= other:  # x − y and y − x are one derivation
            return False
        dates = self._quantities[index].date and self._quantities[other].date
        return not dates or (self._target >= 0 and self._unit in ("years", ""))

    def _may_add(self, index: int, other: int) -> bool:
        """Years may be added, for some that look like a year are a count; longer dates may not."""
        first, second = self._quantities[index].date, self._quantities[other].date
        return not (first and first.month and second and second.month)

    def _time_spans(self) -> Iterator[Derivation]:
        dated = [(index, date) for index in self.in_text if (date := self._quantities[index].date)]
        for (index, date), (other, other_date) in combinations(dated, 2):
            if time_between(date, other_date, self._unit) == (self._target, self._unit):
                is_later = date.moment >= other_date.moment
                yield ((index, 1), (other, -1)) if is_later else ((other, 1), (index, -1))
