"""How well an answer fits what was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.pipeline.fitting import ExpectedKind, fits, is_of_kind
from lacuna.types import Answer

PAIRS = [
    (ExpectedKind.PERSON, "Ellen Voss", "12 March 1987"),
    (ExpectedKind.PERSON, "Ada Quill", "the northern harbour wall of the town"),
    (ExpectedKind.PERSON, "the chief gardener", "he"),
    (ExpectedKind.PERSON, "Ada Quill", "Chief Harbour Officer"),
    (ExpectedKind.PLACE, "Brannet", "1987"),
    (ExpectedKind.PLACE, "/etc/mail/aliases", "twice a week"),
    (ExpectedKind.PLACE, "in the cellar", "42"),
    (ExpectedKind.DATE, "3 May 1950", "Ellen Voss"),
    (ExpectedKind.DATE, "1931", "12 people"),
    (ExpectedKind.DATE, "after the harvest", "the red barn"),
    (ExpectedKind.DURATION, "15 minutes", "15"),
    (ExpectedKind.DURATION, "an hour", "the timekeeper"),
    (ExpectedKind.DURATION, "three weeks", "three metres"),
    (ExpectedKind.FREQUENCY, "every second Tuesday", "Tuesday"),
    (ExpectedKind.NUMBER, "5432", "the mail server"),
    (ExpectedKind.NUMBER, "nine", "northern"),
    (ExpectedKind.AMOUNT, "684 metres", "684"),
    (ExpectedKind.AMOUNT, "$3.5 million", "the treasurer"),
    (ExpectedKind.LIST, "salt, pepper and oil", "salt"),
    (ExpectedKind.DEFINITION, "an instrument that measures angles", "angles"),
    (ExpectedKind.REASON, "because the seal was worn", "1986"),
    (ExpectedKind.METHOD, "by soaking it in brine", "brine"),
]


@pytest.mark.parametrize(("expected", "better", "worse"), PAIRS)
def test_what_was_asked_for_fits_better(expected: ExpectedKind, better: str, worse: str) -> None:
    fitting, other = (fits(Answer.span(text), expected) for text in (better, worse))
    assert fitting >= 0.5
    assert fitting >= other + 0.1


def test_yes_and_no_fit_questions_for_yes_or_no_alone() -> None:
    assert fits(Answer.yes(), ExpectedKind.YES_NO) == fits(Answer.no(), ExpectedKind.YES_NO) == 1
    assert fits(Answer.yes(), ExpectedKind.DATE) < 0.1
    assert fits(Answer.span("salt"), ExpectedKind.YES_NO) < 0.1


def test_several_texts_are_a_list() -> None:
    several = Answer.spans(("salt", "pepper"))
    assert fits(several, ExpectedKind.LIST) == 1
    assert fits(several, ExpectedKind.DATE) < 0.3


def test_a_longer_answer_fits_ever_less() -> None:
    lengths = [
        fits(Answer.span("15 minutes" + " more" * n), ExpectedKind.DURATION) for n in (0, 12, 30)
    ]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


def test_none_fits_nothing() -> None:
    assert fits(Answer.none(), ExpectedKind.DATE) == 0


@given(st.text(max_size=120), st.sampled_from(ExpectedKind))
def test_any_text_fits_to_some_degree(text: str, expected: ExpectedKind) -> None:
    for answer in (Answer.span(text), Answer.spans((text, text)), Answer.number(None, text)):
        assert 0 <= fits(answer, expected) <= 1


@pytest.mark.parametrize(
    ("question", "may_be", "cannot_be"),
    [
        ("What is the salary?", "450 euros", "555 010 2233"),
        ("What is the salary?", "3,200", "30 minutes"),
        ("What does the phone number look like, how many digits?", "555 010 2233", "red"),
        ("How old is the ferry?", "40 years", "12 March 1931"),
        ("How many metres long is it?", "40 metres", "30 minutes"),
        ("How long may guests stay?", "until midnight", "3 metres"),
        ("How long may guests stay?", "two weeks", "in the cellar"),
        ("How much does it cost?", "$20", "40 kg"),
        ("What is the port number?", "5432", "the mail server"),
    ],
)
def test_an_answer_of_another_kind_falls(question: str, may_be: str, cannot_be: str) -> None:
    assert is_of_kind(Answer.span(may_be), question)
    assert not is_of_kind(Answer.span(cannot_be), question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did it sail?", "555 010 2233"),
        ("Who built it?", "1931"),
        ("How many days may it take?", "as many as the harbour master of the town allows"),
    ],
)
def test_where_the_form_does_not_tell_nothing_falls(question: str, text: str) -> None:
    assert is_of_kind(Answer.span(text), question)


def test_what_was_calculated_never_falls() -> None:
    assert is_of_kind(Answer.number(1931, "1931", expression="1950 − 19"), "How old is it?")


RECIPE = "Preparation time: 10 minutes | Storage time: 3 days | Oven: 200 °C"


@pytest.mark.parametrize(
    ("question", "amount", "other"),
    [
        ("How long can it be stored?", "3 days", False),
        ("How long can it be stored?", "10 minutes", True),
        ("How long does it last?", "10 minutes", False),  # no label is named
        ("Where is it stored?", "10 minutes", False),  # no amount is asked for
    ],
)
def test_the_amount_of_another_label(question: str, amount: str, other: bool) -> None:
    start = RECIPE.index(amount)
    assert is_of_kind(Answer.span(amount), question, RECIPE, start) is not other
