"""What NumNet+ says, from its scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from torch import Tensor

from lacuna.quantities.arithmetic import calculate, written
from lacuna.train.layers.pointer import best_spans
from lacuna.train.papers.iirc.numnet.example import NumNetBatch
from lacuna.train.papers.iirc.numnet.kinds import (
    BEGINS,
    BINARY,
    INSIDE,
    OUTSIDE,
    SIGNS,
    AnswerWay,
)
from lacuna.train.papers.iirc.numnet.network import NumNetScores
from lacuna.train.papers.iirc.numnet.reading import QUESTION, NumberedInput
from lacuna.types import Answer, AnswerKind, Prediction

LONGEST_ANSWER = 30
"""Word pieces."""


class Decoder:
    """The answers of one batch: the likeliest way, and the likeliest answer by that way."""

    def __init__(self, scores: NumNetScores, batch: NumNetBatch) -> None:
        self._ways = scores.ways.softmax(1).tolist()
        self._spans = _listed(best_spans(scores.start, scores.end, batch.parts, LONGEST_ANSWER))
        self._asked = _listed(
            best_spans(scores.asked_start, scores.asked_end, batch.parts, LONGEST_ANSWER)
        )
        self._tags = scores.tags.argmax(2).tolist()
        self._counts = scores.counts.argmax(1).tolist()
        self._signs = scores.signs.log_softmax(2).tolist()
        self._binary = scores.binary.argmax(1).tolist()

    def prediction(self, row: int, read: NumberedInput) -> Prediction:
        """What is said of one question."""
        likely = self._ways[row]
        way = AnswerWay(likely.index(max(likely)))
        return Prediction(self._answer(row, way, read), confidence=likely[way])

    def _answer(self, row: int, way: AnswerWay, read: NumberedInput) -> Answer:
        match way:
            case AnswerWay.NONE:
                return Answer.none()
            case AnswerWay.BINARY:
                return Answer(AnswerKind(BINARY[self._binary[row]]))
            case AnswerWay.COUNT:
                return Answer.number(self._counts[row])
            case AnswerWay.ARITHMETIC:
                return _calculated(read, self._signs[row])
            case AnswerWay.SPANS:
                places = list(tagged_spans(self._tags[row], read.parts.tolist()))
                return _spans(read, places or [self._spans[row]])
            case AnswerWay.QUESTION_SPAN:
                return _spans(read, [self._asked[row]])
        return _spans(read, [self._spans[row]])


def _listed(spans: tuple[Tensor, Tensor, Tensor]) -> list[tuple[int, int]]:
    first, last, _ = (part.tolist() for part in spans)
    return list(zip(first, last, strict=True))


def _spans(read: NumberedInput, places: Sequence[tuple[int, int]]) -> Answer:
    texts, found_at = zip(*(read.span(first, last) for first, last in places), strict=True)
    where = tuple(place for place in found_at if place is not None)
    distinct = tuple(dict.fromkeys(texts))
    return (
        Answer.span(distinct[0], *where) if len(distinct) == 1 else Answer.spans(distinct, *where)
    )


def tagged_spans(tags: Sequence[int], parts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last piece of each span that begins with one tag and goes on with another.

    >>> list(tagged_spans([0, 1, 2, 1, 2], [0, 1, 1, 1, 2]))
    [(1, 2), (3, 3)]
    """
    first: int | None = None
    for place, part in enumerate(parts):
        tag = tags[place] if part > QUESTION else OUTSIDE
        goes_on = first is not None and tag == INSIDE and part == parts[place - 1]
        if first is not None and not goes_on:
            yield first, place - 1
            first = None
        if tag == BEGINS:
            first = place
    if first is not None:
        yield first, len(parts) - 1


def _calculated(read: NumberedInput, scores: Sequence[Sequence[float]]) -> Answer:
    """Each number with its likeliest sign; at least one must be added."""
    own = scores[: len(read.quantities)]
    signs = [SIGNS[row.index(max(row))] for row in own]
    if 1 not in signs:
        plus, zero = SIGNS.index(1), SIGNS.index(0)
        gains = [row[plus] - row[zero] for row in own]
        signs[gains.index(max(gains))] = 1
    terms = [
        (sign, quantity) for sign, quantity in zip(signs, read.quantities, strict=True) if sign
    ]
    try:
        calculation = calculate(terms, read.question)
    except ValueError:  # a sum of dates, which means nothing but is what the network said
        total = math.fsum(sign * quantity.value for sign, quantity in terms)
        return Answer.number(total, written(total))
    return Answer.number(
        calculation.value,
        calculation.text,
        unit=calculation.unit,
        expression=calculation.expression,
    )
