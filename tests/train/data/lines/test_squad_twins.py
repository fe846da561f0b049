"""Unanswerable questions and their twins."""

from __future__ import annotations

from collections import Counter

from lacuna.datasets.fields import Fields
from lacuna.types import Answer, Document, Evidence, Gold, Question
from lacuna_lab.data.lines import NO_TWIN, twins
from lacuna_lab.data.lines import decode_squad_twins as decode
from lacuna_lab.data.texts import units

TEXT = "Ada Quill built the ferry Marrow."
LINE = {
    "id": "u1",
    "title": "Marrow",
    "context": TEXT,
    "question": "who sank the ferry marrow?",
    "is_impossible": True,
    "answers": [],
    "paired_answerable_id": "a1",
    "paired_answerable_question": "Who built the ferry Marrow?",
    "plausible_answer": {"answer_start": 0, "text": "Ada Quill"},
}
ANSWER = Answer.span("Ada Quill", Evidence("Marrow", 0, 9))


def answerable(id_: str) -> Question:
    gold = Gold((ANSWER,))
    return Question(id_, "Who built the ferry Marrow?", Document("Marrow", TEXT), gold=gold)


def test_both_of_a_pair_stand_together_and_others_are_left_out() -> None:
    left_out: Counter[str] = Counter()
    lonely = decode(Fields({**LINE, "id": "u2", "paired_answerable_id": "gone"}), 2)
    pairs = twins(
        [decode(Fields(LINE), 1), lonely],
        [answerable("squad1/other"), answerable("squad1/a1")],
        left_out,
    )
    ((none, answered),) = units(pairs)
    assert none.context == answered.context
    assert none.gold == Gold((Answer.none(),))
    assert answered.gold == Gold((ANSWER,))
    assert none.id != answered.id
    assert left_out == {NO_TWIN: 1}
