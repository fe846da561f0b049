"""QA-ZRE: questions for one relation of a thing, answered by one sentence about it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from lacuna.datasets.fields import Fields
from lacuna.train.data.evidence_sentences import hidden_among
from lacuna.train.labels import occurrences
from lacuna.types import Answer, Document, Evidence, Gold, Question, Role

REMEMBERED = 40
"""Sentences before, among which a sentence is hidden."""
FEWEST, MOST = 2, 6


def decode(fields: Fields, number: int) -> Question:
    """A line: one sentence as ``context``, and ``answers`` that stand in it."""
    document = Document("", fields.text("context").strip())
    answers = tuple(Answer.span(text) for text in fields.texts("answers"))
    for answer in answers:
        if next(occurrences(document.text, answer.text), None) is None:
            raise fields.bad("answers", "words of the context")
    return Question(str(number), fields.text("question"), document, gold=Gold(answers))


def among_sentences(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The sentence of each question among those of earlier ones that do not have its answer."""
    random = Random(seed)
    before: deque[str] = deque(maxlen=REMEMBERED)
    for question in questions:
        assert question.context
        assert question.gold
        text = question.context.text
        texts = [answer.text for answer in question.gold.answers]
        others = [
            other
            for other in dict.fromkeys(before)
            if other != text and not any(next(occurrences(other, each), None) for each in texts)
        ]
        chosen = random.sample(others, min(len(others), random.randint(FEWEST, MOST)))
        before.append(text)
        document, facts = hidden_among("", [text], chosen, random)
        places = document.sentences[facts[0].sentence]
        answers = tuple(_found(answer, document, places.start) for answer in question.gold.answers)
        gold = replace(question.gold, answers=answers, supporting_facts=facts)
        yield replace(question, context=document, gold=gold)


def _found(answer: Answer, document: Document, start: int) -> Answer:
    """The answer as it is first written in the sentence that begins there."""
    first = next(occurrences(document.text[start:], answer.text))
    place = Evidence(document.title, start + first.start, start + first.end, Role.ANSWER)
    return Answer.span(document.text[place.start : place.end], place)
