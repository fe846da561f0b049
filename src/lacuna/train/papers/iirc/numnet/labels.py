"""Every way in which an input gives the gold answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from lacuna.train.derivations import derivations
from lacuna.train.labels import evidence_regions, occurrences
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.numnet.example import NumNetExample
from lacuna.train.papers.iirc.numnet.kinds import (
    BEGINS,
    BINARY,
    COUNTS,
    INSIDE,
    SIGNS,
    UNKNOWN,
)
from lacuna.train.papers.iirc.numnet.reading import NumberedInput, numbered_input
from lacuna.train.papers.tokens import Ints
from lacuna.types import Answer, AnswerKind, Gold, Question

Places = list[tuple[int, int]]
MOST_SPANS, MOST_CALCULATIONS = 12, 12


def numnet_example(question: Question, tokenizer: PieceTokenizer, longest: int) -> NumNetExample:
    """A question with what annotators said of it, as far as the input allows it."""
    read = numbered_input(question, tokenizer, longest)
    gold = question.gold or Gold()
    kinds = {answer.kind for answer in gold.answers}
    binary = next((n for n, name in enumerate(BINARY) if AnswerKind(name) in kinds), UNKNOWN)
    return NumNetExample(
        ids=read.made.ids,
        group=question.context.text if question.context else question.id,
        read=read,
        spans=np.array(_spans(read, gold), np.int32).reshape(-1, 2),
        tags=_tags(read, gold.answers),
        signs=_signs(read, gold.answers),
        count=_count(gold.answers),
        binary=binary,
        none=AnswerKind.NONE in kinds,
    )


def _spans(read: NumberedInput, gold: Gold) -> Places:
    texts = [answer.texts[0] for answer in gold.answers if _is_one_text(answer)]
    regions = list(evidence_regions(read.documents, gold))
    found = [(number, span) for text in texts for number, span in _occurrences(read, text)]
    cited = [
        (number, span)
        for number, span in found
        if any(n == number and r.start <= span[0] and span[1] <= r.end for n, r in regions)
    ]
    places = [read.made.cover(number, *span) for number, span in cited or found]
    asked = (span for text in texts for span in occurrences(read.question, text))
    places += [read.made.cover_question(*span) for span in asked]
    return [place for place in dict.fromkeys(places) if place is not None][:MOST_SPANS]


def _is_one_text(answer: Answer) -> bool:
    return answer.kind in (AnswerKind.SPAN, AnswerKind.NUMBER)


def _occurrences(read: NumberedInput, text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    for number, document in enumerate(read.documents):
        for span in occurrences(document.text, text):
            yield number, (span.start, span.end)


def _tags(read: NumberedInput, answers: Iterable[Answer]) -> Ints:
    """Each piece outside, at the begin of or inside a span, if all spans of an answer are there."""
    none = np.zeros(0, np.int32)
    for answer in answers:
        if answer.kind is not AnswerKind.SPANS:
            continue
        tags = np.zeros(len(read.made.ids), np.int32)
        for text in answer.texts:
            covers = (read.made.cover(n, *span) for n, span in _occurrences(read, text))
            places = [cover for cover in covers if cover is not None]
            if not places:
                return none
            for first, last in places:
                tags[first], tags[first + 1 : last + 1] = BEGINS, INSIDE
        return tags
    return none


def _signs(read: NumberedInput, answers: Iterable[Answer]) -> Ints:
    """[calculations, numbers of texts]"""
    rows = []
    for answer in answers:
        if answer.kind is AnswerKind.NUMBER and answer.value is not None:
            for terms in derivations(answer.value, read.quantities, read.question):
                row = np.zeros(len(read.quantities), np.int32)
                for number, sign in terms:
                    row[number] = SIGNS.index(sign)
                rows.append(row)
    return np.array(rows[:MOST_CALCULATIONS], np.int32).reshape(-1, len(read.quantities))


def _count(answers: Iterable[Answer]) -> int:
    for answer in answers:
        value = answer.value
        if answer.kind is AnswerKind.NUMBER and value is not None and value in range(COUNTS):
            return int(value)
    return UNKNOWN
