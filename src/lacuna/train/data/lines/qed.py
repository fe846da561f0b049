"""QED: search questions of Natural Questions with a paragraph, its sentences and a short answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField, shown
from lacuna.train.data.evidence_sentences import sentences_at
from lacuna.types import Answer, Document, Evidence, Gold, Question, Role, Span

LONGEST = 200
"""Characters of an answer; some are whole tables."""
TOO_LONG = f"an answer of more than {LONGEST} characters"


def decode(fields: Fields, number: int) -> Question:
    """A line: ``answers`` are alternatives, each a list of places in the ``paragraph``."""
    title, text = fields.text("title"), fields.text("paragraph")
    starts = (start for start in fields.integers("sentence_starts") if 0 < start < len(text))
    edges = sorted({0, *starts, len(text)})
    sentences = (_trimmed(text, start, end) for start, end in pairwise(edges))
    document = Document(title, text, tuple(span for span in sentences if span.start < span.end))
    alternatives = [_places(each, document) for each in fields.items("answers")]
    answers = tuple(_answer(places, document) for places in alternatives)
    facts = sentences_at(document, (place for places in alternatives for place in places))
    gold = Gold(answers, supporting_facts=facts)
    return Question(fields.text("id"), fields.text("question"), document, gold=gold)


def short_answers(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """The questions with a short answer; the others are counted."""
    for question in questions:
        answers = question.gold.answers if question.gold else ()
        if any(len(text) > LONGEST for answer in answers for text in answer.texts):
            left_out[TOO_LONG] += 1
        else:
            yield question


def _trimmed(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))


def _places(raw: Any, document: Document) -> list[Span]:
    match raw:
        case [_, *_] if all(_is_place(each, len(document.text)) for each in raw):
            return [Span(start, end) for start, end in raw]
    raise BadField("answers", "places in the paragraph", shown(raw))


def _is_place(raw: Any, size: int) -> bool:
    match raw:
        case [int(start), int(end)]:
            return 0 <= start < end <= size
    return False


def _answer(places: list[Span], document: Document) -> Answer:
    found_at = tuple(Evidence(document.title, *place, Role.ANSWER) for place in places)
    texts = tuple(document.text[start:end] for start, end in places)
    return Answer.spans(texts, *found_at) if len(texts) > 1 else Answer.span(texts[0], *found_at)
