"""QuAC's questions as examples."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from lacuna.types import (
    Answer,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Gold,
    Question,
    Turn,
    YesNo,
)
from lacuna_lab.papers.quac import (
    FOLLOW_UP,
    LAST_TURN,
    UNKNOWN_ACT,
    YES_NO,
    DialogExample,
    SectionWords,
    dialog_example,
)
from lacuna_lab.papers.words import TokenTable

SECTION = Document("Quill", "She cooked at sea. She taught. CANNOTANSWER")
SEA = Answer.span("at sea", Evidence("Quill", 11, 17))


def example(question: Question, history: int = 2, longest: int = 100) -> DialogExample:
    table = TokenTable()
    return dialog_example(question, SectionWords.of(SECTION, table, longest), table, history)


def test_the_no_answer_token_stands_once_at_the_end() -> None:
    made = example(Question("q", "Why?", SECTION, gold=Gold((Answer.none(),))))
    assert len(made.context) == 9
    assert made.places[:, 0].tolist() == [0] * 8 + [1]
    assert made.starts.tolist() == made.ends.tolist() == [8]
    plain = Document("Quill", "She cooked at sea. She taught.")
    assert len(SectionWords.of(plain, TokenTable(), 100).numbers) == 9


def test_earlier_answers_are_marked_the_last_turn_first() -> None:
    history = (
        Turn("Who?", Answer.span("taught")),
        Turn("Where?", SEA),
        Turn("Why?", Answer.none()),
    )
    made = example(Question("q", "And?", SECTION, history=history), history=3)
    assert made.markers[:, 0].tolist() == [0] * 8 + [1]
    assert made.markers[:, 1].tolist() == [0, 0, 1, 3, 0, 0, 0, 0, 0]
    assert made.markers[:, 2].tolist() == [0] * 6 + [1, 0, 0]
    assert made.turn == 3
    assert example(Question("q", "And?", SECTION, history=history), history=0).markers.size == 0


def test_a_turn_without_an_answer_marks_nothing() -> None:
    made = example(Question("q", "And?", SECTION, history=(Turn("Who?"),) * 40))
    assert not made.markers.any()
    assert made.turn == LAST_TURN


def test_the_answer_that_the_dialog_went_on_with_is_learned() -> None:
    gold = Gold((Answer.span("She"),), given=SEA, acts=DialogActs(YesNo.NO, FollowUp.MAYBE))
    made = example(Question("q", "Where?", SECTION, gold=gold))
    assert (made.starts.tolist(), made.ends.tolist()) == ([2], [3])
    assert YES_NO[made.acts[0]] is YesNo.NO
    assert FOLLOW_UP[made.acts[1]] is FollowUp.MAYBE
    assert example(Question("q", "Where?", SECTION)).acts == (UNKNOWN_ACT, UNKNOWN_ACT)


def test_an_answer_behind_the_limit_is_not_learned() -> None:
    gold = Gold((Answer.span("She cooked at sea"),))
    assert len(example(Question("q", "Where?", SECTION, gold=gold), longest=3).starts) == 0
