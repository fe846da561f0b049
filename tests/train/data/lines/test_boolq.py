"""BoolQ's lines."""

from __future__ import annotations

import pytest

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.types import Answer, Document
from lacuna_lab.data.lines import decode_boolq as decode

LINE = {
    "question": "is the marrow a ferry",
    "title": "Marrow (ship)",
    "passage": "Marrow is a ferry that Ada Quill built.",
    "answer": True,
}


def test_a_question_for_yes() -> None:
    question = decode(Fields(LINE), 3)
    assert (question.id, question.text) == ("3", LINE["question"])
    assert question.context == Document("Marrow (ship)", "Marrow is a ferry that Ada Quill built.")
    assert question.gold is not None
    assert question.gold.answers == (Answer.yes(),)


def test_no_is_false_and_nothing_else() -> None:
    no = decode(Fields({**LINE, "answer": False}), 1)
    assert no.gold is not None
    assert no.gold.answers == (Answer.no(),)
    for wrong in (0, "no", None):
        with pytest.raises(BadField, match="true or false"):
            decode(Fields({**LINE, "answer": wrong}), 1)
