"""An answer gets the shape that was asked for, and keeps its own where no shape was."""

from __future__ import annotations

import pytest

from lacuna.pipeline.shaping import shaped
from lacuna.retrieve.windows import with_sentences
from lacuna.types import Answer, AnswerKind, Document, Evidence

TEXT = (
    "A sextant is an instrument that measures angles. It has a frame, two mirrors and a scale. "
    "It weighs 1,400 grams. Ada Quill (born 3 May 1897) made one on 2 May 1931."
)
DOCUMENTS = {"Sextant": with_sentences(Document("Sextant", TEXT))}


def places(*texts: str) -> tuple[Evidence, ...]:
    starts = [(TEXT.index(text), len(text)) for text in texts]
    return tuple(Evidence("Sextant", start, start + size) for start, size in starts)


def shape(question: str, found: str) -> Answer:
    return shaped(Answer.span(found, *places(found)), question, DOCUMENTS)


def test_a_part_of_a_definition_becomes_its_clause() -> None:
    answer = shape("What is a sextant?", "instrument")
    assert answer.text == "an instrument that measures angles"
    assert answer.found_at == places("an instrument that measures angles")


def test_an_item_becomes_its_list() -> None:
    answer = shape("Which parts does a sextant have?", "two mirrors")
    assert answer.kind is AnswerKind.SPANS
    assert answer.texts == ("a frame", "two mirrors", "a scale")


def test_an_amount_becomes_a_number_with_its_unit() -> None:
    answer = shape("How heavy is a sextant?", "1,400 grams")
    assert (answer.kind, answer.value, answer.unit) == (AnswerKind.NUMBER, 1400.0, "grams")
    assert answer.text == "1,400 grams"


def test_an_age_counts_birthdays_wherever_the_dates_stand() -> None:
    dates = places("2 May 1931", "3 May 1897")
    old = Answer.number(34, "34", *dates, unit="years", expression="1931 − 1897")
    question = "How old was Ada Quill when she made a sextant?"
    assert shaped(old, question, DOCUMENTS).text == "33 years"


@pytest.mark.parametrize(
    "answer",
    [Answer.span("Ada Quill", *places("Ada Quill")), Answer.span("somewhere"), Answer.yes()],
)
def test_an_answer_that_fits_or_has_no_place_stays(answer: Answer) -> None:
    assert shaped(answer, "Who made it?", DOCUMENTS) == answer
