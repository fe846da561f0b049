"""About as many no as yes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.types import Answer, AnswerKind, Gold, Question
from lacuna_lab.data.yes_no import AHEAD, balanced


@given(st.lists(st.booleans(), max_size=120))
def test_all_are_kept_and_none_is_far_ahead(answers: list[bool]) -> None:
    real = [
        Question(str(number), "Is it?", gold=Gold((Answer.yes() if yes else Answer.no(),)))
        for number, yes in enumerate(answers)
    ]
    made = list(balanced(real))
    assert [question.id for question in made if "/" not in question.id] == [q.id for q in real]
    assert len({question.id for question in made}) == len(made)
    kinds = [question.gold.answers[0].kind for question in made if question.gold]
    more = kinds.count(AnswerKind.YES) - kinds.count(AnswerKind.NO)
    before = answers.count(True) - answers.count(False)
    assert abs(more) <= max(abs(before), AHEAD + 1)


def test_two_thirds_of_yes_become_half() -> None:
    real = [
        Question(str(number), "Is it?", gold=Gold((Answer.yes() if number % 3 else Answer.no(),)))
        for number in range(300)
    ]
    kinds = [question.gold.answers[0].kind for question in balanced(real) if question.gold]
    assert abs(kinds.count(AnswerKind.YES) - kinds.count(AnswerKind.NO)) <= AHEAD + 2


def test_what_is_balanced_stays_as_it_is() -> None:
    real = [
        Question(str(number), "Is it?", gold=Gold((Answer.yes() if number % 2 else Answer.no(),)))
        for number in range(100)
    ]
    assert list(balanced(real)) == real
