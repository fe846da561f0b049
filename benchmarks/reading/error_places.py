"""Where a predicted text stands, seen from the place of the right answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from lacuna.corpus.page_builder import sentence_spans
from lacuna.types import Answer, AnswerKind, Document, Question, Span


class Place(NamedTuple):
    """A part of one of the texts that a question was read with."""

    document: str
    start: int
    end: int


class Nearness(IntEnum):
    """How near to the answer or its evidence a text stands."""

    SENTENCE = 0
    DOCUMENT = 1
    ELSEWHERE = 2


def texts_of(seen: Question) -> tuple[Document, ...]:
    """The texts that a question was read with."""
    return (*((seen.context,) if seen.context else ()), *seen.documents)


def occurrences(text: str, documents: Iterable[Document]) -> Iterator[Place]:
    """Everywhere that a text stands as whole words, whatever its case and its blanks.

    >>> [place.start for place in occurrences("the ferry", [Document("A", "Ferry. The  Ferry.")])]
    [7]
    """
    if not (words := r"\s+".join(map(re.escape, text.split()))):
        return
    pattern = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
    for document in documents:
        for match in pattern.finditer(document.text):
            yield Place(document.title, *match.span())


def right_places(question: Question, seen: Question) -> list[Place]:
    """The evidence that annotators named; failing that the answer's place, known or searched."""
    gold = question.gold
    documents = {document.title: document for document in texts_of(seen)}
    assert gold is not None
    named = [Place(piece.document, piece.start, piece.end) for piece in gold.evidence or ()]
    for title, number in gold.supporting_facts or ():
        if title in documents and number < len(documents[title].sentences):
            named.append(Place(title, *documents[title].sentences[number]))
    answers = [answer for answer in gold.answers if answer.kind is not AnswerKind.NONE]
    known = [Place(at.document, at.start, at.end) for answer in answers for at in answer.found_at]
    searched = (
        place
        for answer in answers
        for text in answer.texts
        for place in occurrences(text, documents.values())
    )
    return [place for place in named or known if place.document in documents] or list(searched)


def touches(texts: Iterable[str], answers: Iterable[Answer], seen: Question) -> bool:
    """Whether one of the texts overlaps a place that an answer was found at."""
    documents = texts_of(seen)
    places = [place for text in texts for place in occurrences(text, documents)]
    right = [at for answer in answers for at in answer.found_at]
    return any(
        place.document == at.document and place.start < at.end and at.start < place.end
        for place in places
        for at in right
    )


def nearness(texts: Iterable[str], question: Question, seen: Question) -> Nearness | None:
    """How near to the right places any of the texts comes; None where they stand nowhere."""
    documents = texts_of(seen)
    places = [place for text in texts for place in occurrences(text, documents)]
    if not places:
        return None
    right = right_places(question, seen)
    sentences = {document.title: _sentences(document) for document in documents}
    if any(_share_a_sentence(a, b, sentences[a.document]) for a in places for b in right):
        return Nearness.SENTENCE
    shared = {place.document for place in places} & {place.document for place in right}
    return Nearness.DOCUMENT if shared else Nearness.ELSEWHERE


def _sentences(document: Document) -> tuple[Span, ...]:
    whole = [Span(0, len(document.text))]
    return document.sentences or sentence_spans(document.text, whole)


def _share_a_sentence(one: Place, other: Place, sentences: Iterable[Span]) -> bool:
    return one.document == other.document and any(
        _overlap(sentence, one) and _overlap(sentence, other) for sentence in sentences
    )


def _overlap(sentence: Span, place: Place) -> bool:
    return sentence.start < place.end and place.start < sentence.end
