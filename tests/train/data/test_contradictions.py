"""Questions changed so that their text contradicts them."""

from __future__ import annotations

from random import Random

import pytest

from lacuna.types import Answer, Document, Evidence, Gold, Question
from lacuna_lab.data.texts import OPPOSITES, NamesByKind
from lacuna_lab.data.unanswerable import (
    AnswerSentence,
    Change,
    negated,
    opposite,
    other_name,
    other_number,
    wrong_time,
)

TEXT = (
    "The largest ferry, Marrow, was built in 1919 by Ada Quill in Norway. Prices rose. "
    "In 1931 a storm hit Sweden. The critic Ben Hollow wept."
)


def asked(text: str, answer: str, id_: str = "q") -> Question:
    start = TEXT.index(answer)
    place = Evidence("p", start, start + len(answer))
    gold = Gold((Answer.span(answer, place),))
    return Question(id_, text, Document("p", TEXT), gold=gold)


PEOPLE = NamesByKind([asked("Who built it?", "Ada Quill"), asked("Who wept?", "Ben Hollow")])


@pytest.mark.parametrize(
    ("change", "text", "answer", "expected"),
    [
        (
            other_name,
            "When did Ada Quill build Marrow?",
            "1919",
            "When did Ben Hollow build Marrow?",
        ),
        (other_name, "What was built in Norway?", "Marrow", "What was built in Sweden?"),
        (other_number, "What was built in 1919?", "Marrow", "What was built in 1931?"),
        (opposite, "Who built the largest ferry?", "Ada Quill", "Who built the smallest ferry?"),
        (wrong_time, "Who built the ferry?", "Ada Quill", "Who built the ferry in 1931?"),
        (negated, "Who built the ferry?", "Ada Quill", "Who never built the ferry?"),
    ],
)
def test_changes(change: Change, text: str, answer: str, expected: str) -> None:
    given = AnswerSentence.of(asked(text, answer), PEOPLE)
    assert given is not None
    made = {change(given, Random(seed)) for seed in range(9)}
    assert expected in made
    assert None not in made


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (other_name, "When did Cy Tarn build it?"),
        (other_number, "What was built in 1918?"),
        (opposite, "What is the oldest ferry?"),
        (negated, "Who never built the ferry?"),
    ],
)
def test_what_the_sentence_does_not_say_is_not_changed(change: Change, text: str) -> None:
    given = AnswerSentence.of(asked(text, "Marrow"), PEOPLE)
    assert given is not None
    assert change(given, Random(1)) is None


def test_a_name_that_another_sentence_tells_the_same_of_is_not_taken() -> None:
    text = "Ada Quill built Marrow in 1919. Ben Hollow built Ellery in 1931."
    gold = Gold((Answer.span("1919"),))
    question = Question("q", "When did Ada Quill build a ship?", Document("p", text), gold=gold)
    given = AnswerSentence.of(question, PEOPLE)
    assert given is not None
    assert other_name(given, Random(1)) is not None
    told = Question("q", "When was Marrow built by Ada Quill?", Document("p", text), gold=gold)
    given = AnswerSentence.of(told, PEOPLE)
    assert given is not None
    assert other_name(given, Random(1)) is None


def test_opposites_go_both_ways() -> None:
    assert all(word in OPPOSITES[other] for word in OPPOSITES for other in OPPOSITES[word])
