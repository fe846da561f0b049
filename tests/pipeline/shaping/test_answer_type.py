"""Of which kind an answer is."""

from __future__ import annotations

import pytest

from lacuna.pipeline.shaping import typed
from lacuna.quantities.arithmetic import amount
from lacuna.quantities.find_quantities import PartialDate, completed_years
from lacuna.types import Answer, Document, Evidence

LIFE = Document("Voss", "Ellen Voss, born 17 August 1793, signed it on 24 June 1841.")


def place(text: str) -> Evidence:
    start = LIFE.text.index(text)
    return Evidence("Voss", start, start + len(text))


@pytest.mark.parametrize(
    ("question", "years"),
    [("How old was she when she signed it?", "47 years"), ("How many years later?", "48 years")],
)
def test_an_age_counts_birthdays_and_other_spans_years(question: str, years: str) -> None:
    found = (place("24 June 1841"), place("17 August 1793"))
    answer = Answer.number(48, "48", *found, unit="years", expression="…")
    assert typed(answer, question, {"Voss": LIFE}).text == years


def test_a_quoted_amount_becomes_a_number_and_keeps_its_place() -> None:
    where = Evidence("Hill", 3, 13)
    made = typed(Answer.span("684 metres", where), "How high is it?", {})
    assert (made.value, made.text, made.found_at) == (684.0, "684 metres", (where,))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("684 metres", "What is said of the hill?"),
        ("12 to 50 miles", "How many miles?"),
        ("the third", "How many were there?"),
        ("more than a hundred years", "How many years?"),
        ("1841", "How long did it last?"),
        ("14 men who had come from the north coast", "How many were there?"),
    ],
)
def test_other_texts_stay_as_they_are(text: str, question: str) -> None:
    assert amount(text, question) is None


def test_years_are_completed_on_the_birthday() -> None:
    born = PartialDate(1793, 8, 17)
    assert completed_years(born, PartialDate(1841, 8, 16)) == 47
    assert completed_years(PartialDate(1841, 8, 17), born) == 48
    assert completed_years(born, PartialDate(1841)) is None
