"""The kinds of wrong answers, and the rules that tell them apart; the first that fits counts.

All is decided from the question as the reader saw it, the gold and the predicted answer. The rules
go by words and places, not by meaning: where annotators marked the right text, an answer that
overlaps it is a part of it, too much or shifted; where they did not, one that shares a content word
with it.
"""

from __future__ import annotations

import re
from enum import StrEnum

from benchmarks.reading.error_numbers import (
    calculable,
    compares,
    is_small,
    number_in,
    stands_there,
    wanted_numbers,
    wants_a_count,
)
from benchmarks.reading.error_places import (
    Nearness,
    nearness,
    occurrences,
    right_places,
    texts_of,
    touches,
)
from lacuna.datasets.openbookqa import SEPARATOR
from lacuna.metrics.metric import normalise, overlap
from lacuna.text import content_stems
from lacuna.types import Answer, AnswerKind, Question

CLOSED = (AnswerKind.YES, AnswerKind.NO)
COMPARED = re.compile(
    r"\b(?:which|who|what|where|did|was)\b.*\b(?:more|most|fewer|fewest|less|least|best|first(?=\W*$)"
    r"|(?:old|young|new|larg|bigg|small|long|short|high|low|tall|clos|earli|lat|great)(?:er|est))\b",
    re.IGNORECASE,
)
"""What is asked for is the one of several things that is older, larger, first, …"""
WRONG_BELOW = 0.5
"""The F1 of two texts from which on they count as the same."""


class Kind(StrEnum):
    """What is wrong with an answer."""

    MISSING = "no prediction at all"
    NONE_YES_NO = "“none” for yes or no"
    NONE_NUMBER = "“none” for a number that can be calculated"
    NONE_COMPARED = "“none” where things are compared and the right one stands there"
    NONE_TEXT = "“none” for another text that stands there"
    NONE_ABSENT = "“none” for an answer that stands nowhere as it is"
    ANSWERED = "answered though there is no answer"
    YES_NO = "yes and no confused"
    OTHER_TYPE = "another type of answer"
    COUNT = "a wrong count"
    NOT_CALCULABLE = "a number that cannot be calculated from the texts"
    OTHER_NUMBER = "another number of the texts"
    COUNTED = "a count where none is asked for"
    CALCULATION = "a calculation of other numbers"
    SEVERAL = "some of several texts, or too many"
    PART = "too little, too much or shifted"
    OTHER_NAMED = "the other of the things that the question names"
    ECHO = "words of the question"
    ABSENT = "a text, where the right one stands nowhere as it is"
    REPEATED = "an earlier answer again"
    BEFORE = "a text before the right one"
    AFTER = "a text after the right one"
    SENTENCE = "another text of a sentence with the answer or evidence"
    DOCUMENT = "another text of the same document"
    ELSEWHERE = "a text of another document"
    NOT_QUOTED = "a text that stands nowhere"
    NEARER_CHOICE = "a choice with more words of the fact than the right one"
    EQUAL_CHOICE = "a choice with as many words of the fact"
    STRANGE_CHOICE = "a choice, where neither it nor the right one has a word of the fact"
    FARTHER_CHOICE = "a choice with fewer words of the fact"


def kind_of(
    question: Question, seen: Question, predicted: Answer | None, wanted: AnswerKind
) -> Kind:
    """The kind of a wrong answer.

    ``question`` has the gold, ``seen`` the texts that the reader was given; ``wanted`` is the kind
    of answer that the scorer wants, which for several annotators is what most of them say.
    """
    assert question.gold is not None
    if predicted is None:
        return Kind.MISSING
    if wanted is AnswerKind.CHOICE:
        return _choice(question, seen, predicted)
    if wanted is AnswerKind.NONE:
        return Kind.ANSWERED
    answers = tuple(a for a in question.gold.answers if a.kind is not AnswerKind.NONE)
    if predicted.kind is AnswerKind.NONE:
        return _none(answers, seen)
    if wanted in CLOSED or predicted.kind in CLOSED:
        return Kind.YES_NO if wanted in CLOSED and predicted.kind in CLOSED else Kind.OTHER_TYPE
    if wanted is AnswerKind.NUMBER:
        value = number_in(predicted.texts[0]) if len(predicted.texts) == 1 else None
        numbers = wanted_numbers(answers)
        return Kind.OTHER_TYPE if value is None else _number(numbers, seen, value)
    return _text(question, answers, seen, predicted)


def _none(answers: tuple[Answer, ...], seen: Question) -> Kind:
    if any(answer.kind in CLOSED for answer in answers):
        return Kind.NONE_YES_NO
    if any(calculable(value, seen) for value in wanted_numbers(answers)):
        return Kind.NONE_NUMBER
    if not _stands_there(answers, seen):
        return Kind.NONE_ABSENT
    return Kind.NONE_COMPARED if COMPARED.search(seen.text) else Kind.NONE_TEXT


def _number(wanted: list[float], seen: Question, predicted: float) -> Kind:
    if wants_a_count(seen.text, wanted):
        return Kind.COUNT
    if not any(calculable(value, seen) for value in wanted):
        return Kind.NOT_CALCULABLE
    if stands_there(predicted, seen):
        return Kind.OTHER_NUMBER
    return Kind.COUNTED if is_small(predicted) and not compares(seen.text) else Kind.CALCULATION


def _text(
    question: Question, answers: tuple[Answer, ...], seen: Question, predicted: Answer
) -> Kind:
    right = [text for answer in answers for text in answer.texts]
    several = max(len(predicted.texts), *(len(answer.texts) for answer in answers)) > 1
    if several and any(_alike(one, other) for one in predicted.texts for other in right):
        return Kind.SEVERAL
    text = " ".join(predicted.texts)
    if number_in(text) is not None and not any(map(_has_digit_or_number, right)):
        return Kind.OTHER_TYPE
    words, question_words = set(content_stems(text)), set(content_stems(seen.text))
    rights = [set(content_stems(one)) for one in right]
    placed = any(answer.found_at for answer in answers)
    if touches(predicted.texts, answers, seen) if placed else _contain(words, rights):
        return Kind.PART
    if any(_both_named(words, one, question_words) for one in rights):
        return Kind.OTHER_NAMED
    if not placed and any(_share_words(words, one) for one in rights):
        return Kind.PART
    if words and words <= question_words:
        return Kind.ECHO
    if not _stands_there(answers, seen):
        return Kind.ABSENT
    if any(turn.answer and _alike(text, turn.answer.text) for turn in seen.history):
        return Kind.REPEATED
    return _place(question, seen, predicted.texts)


def _place(question: Question, seen: Question, texts: tuple[str, ...]) -> Kind:
    near = nearness(texts, question, seen)
    if near is None:
        return Kind.NOT_QUOTED
    if near is Nearness.SENTENCE:
        return Kind.SENTENCE
    if question.gold and question.gold.given:  # a dialog, which is about one text
        right = [place.start for place in right_places(question, seen)]
        places = [place.start for text in texts for place in occurrences(text, texts_of(seen))]
        steps = (here - there for here in places for there in right)
        return Kind.BEFORE if min(steps, key=abs) < 0 else Kind.AFTER
    return Kind.DOCUMENT if near is Nearness.DOCUMENT else Kind.ELSEWHERE


def _choice(question: Question, seen: Question, predicted: Answer) -> Kind:
    assert question.gold is not None
    fact = set(content_stems(seen.fact or ""))
    shared = {
        choice.label: len(fact.intersection(content_stems(choice.text))) for choice in seen.choices
    }
    chosen = max(shared.get(label, 0) for label in predicted.label.split(SEPARATOR))
    right = shared[question.gold.answers[0].label]
    if chosen == right:
        return Kind.EQUAL_CHOICE if right else Kind.STRANGE_CHOICE
    return Kind.NEARER_CHOICE if chosen > right else Kind.FARTHER_CHOICE


def _alike(one: str, other: str) -> bool:
    return overlap(normalise(one), normalise(other)).f1 >= WRONG_BELOW


def _contain(words: set[str], rights: list[set[str]]) -> bool:
    """Whether one of the right texts has all these words, or they have all of its."""
    return bool(words) and any(one <= words or words <= one for one in rights if one)


def _both_named(words: set[str], right: set[str], question_words: set[str]) -> bool:
    """Whether the question has half of the words of either, and not the same ones."""
    of_words, of_right = words & question_words, right & question_words
    half = 2 * len(of_words) >= len(words) and 2 * len(of_right) >= len(right)
    return bool(of_words and of_right) and half and of_words != of_right


def _share_words(one: set[str], other: set[str]) -> bool:
    """As the scorers of numbers have it: where both have figures, these must agree."""
    figures = [{word for word in words if word.isdigit()} for words in (one, other)]
    return bool(one & other) and not (all(figures) and figures[0].isdisjoint(figures[1]))


def _has_digit_or_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text) or number_in(text) is not None


def _stands_there(answers: tuple[Answer, ...], seen: Question) -> bool:
    """Whether all texts of a reference stand in the texts."""
    documents = texts_of(seen)
    return any(
        all(next(occurrences(text, documents), None) for text in answer.texts)
        for answer in answers
        if answer.texts
    )
