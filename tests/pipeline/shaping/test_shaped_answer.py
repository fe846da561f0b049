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


RENT = (
    "I (Quinn Slade) wrote this. The flat costs 450 euros a month, heating 20 euros a week. "
    "You may cancel within 30 days. The deposit is $2,000. Parental leave is 16 weeks long. "
    "The lease is a 12-month contract for 3 rooms."
)


def rented(question: str, found: str) -> Answer:
    start = RENT.index(found)
    document = with_sentences(Document("Rent", RENT))
    place = Evidence("Rent", start, start + len(found))
    return shaped(Answer.span(found, place), question, {"Rent": document})


@pytest.mark.parametrize(
    ("question", "found", "wanted"),
    [
        ("Within what time may I cancel?", "30", "30 days"),
        ("How long may I cancel?", "30", "30 days"),
        ("What is the deposit?", "2,000", "$2,000"),
        ("How long is parental leave?", "16", "16 weeks"),
        ("Who wrote it?", "I (Quinn Slade)", "Quinn Slade"),
        ("What is the rent a year?", "450 euros", "5,400 euros"),
        ("What is the yearly rent?", "450", "5,400 euros"),
        ("What is the rent?", "450 euros", "450 euros"),
        ("What is the monthly rent?", "450", "450 euros"),
        ("What does heating cost a month?", "20", "20 euros a week"),
        ("How many rooms are there?", "3 rooms", "3 rooms"),
        ("Which digit?", "3", "3"),
        ("What is the rent a year after the first?", "450 euros", "450 euros"),
    ],
)
def test_an_amount_has_its_unit_and_the_period_that_was_asked_for(
    question: str, found: str, wanted: str
) -> None:
    assert rented(question, found).text == wanted


def test_an_amount_of_another_period_shows_how_it_was_calculated() -> None:
    answer = rented("What is the rent a year?", "450 euros")
    assert (answer.value, answer.expression) == (5400.0, "450 × 12")
    (place,) = answer.found_at
    assert RENT[place.start : place.end] == "450 euros a month"
