"""Statements as questions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.types import AnswerKind
from lacuna_lab.data.lines import NO_QUESTION, asked, opposite_claims
from lacuna_lab.data.lines import decode_snli as decode
from lacuna_lab.data.texts import units


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("A pilot is on a ferry.", "Is a pilot on a ferry?"),
        ("There are  two ferries", "Are there two ferries?"),
        ("The pilots aren't asleep.", "Are the pilots not asleep?"),
        ("The pilot is not asleep.", "Is the pilot not asleep?"),
        ("SOME PILOTS ARE ASLEEP", "Are sOME PILOTS ASLEEP?"),
        ("The ferry has sunk into the sea", None),
        ("The ferry has been sold", "Has the ferry been sold?"),
        ("A pilot has a hat.", None),
        ("A pilot sleeps.", None),
        ("A pilot who is old sleeps.", None),
        ("Is it a ferry?", None),
        ("That is.", None),
    ],
)
def test_the_verb_goes_to_the_front(statement: str, question: str | None) -> None:
    assert asked(statement) == question


@given(st.text(max_size=80))
def test_a_question_ends_in_one_mark(statement: str) -> None:
    question = asked(f"The ferry is {statement}")
    assert question is None or (question.startswith("Is the ferry") and question.count("?") == 1)


LINES = [
    ("A pilot steers.", "A pilot is awake.", "entailment"),
    ("A pilot steers.", "A pilot is paid.", "neutral"),
    ("A pilot steers.", "A pilot is asleep.", "contradiction"),
    ("A pilot steers.", "A pilot sleeps.", "contradiction"),
    ("Ships sail.", "Ships are at sea.", "entailment"),
    ("Ships sail.", "Ships sank.", "contradiction"),
]


def test_pairs_about_the_same_sentence() -> None:
    statements = [
        decode(Fields({"premise": premise, "hypothesis": text, "label": label}), number)
        for number, (premise, text, label) in enumerate(LINES)
    ]
    left_out: Counter[str] = Counter()
    ((yes, no),) = units(opposite_claims(statements, left_out))
    assert (yes.text, no.text) == ("Is a pilot awake?", "Is a pilot asleep?")
    assert yes.context == no.context
    kinds = [question.gold.answers[0].kind for question in (yes, no) if question.gold]
    assert kinds == [AnswerKind.YES, AnswerKind.NO]
    assert left_out == {NO_QUESTION: 4}


def test_labels_are_checked() -> None:
    with pytest.raises(BadField, match="entailment"):
        decode(Fields({"premise": "A.", "hypothesis": "B.", "label": "maybe"}), 1)
