"""QED's lines."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.types import AnswerKind, SupportingFact
from lacuna_lab.data.lines import LONGEST, TOO_LONG, short_answers
from lacuna_lab.data.lines import decode_qed as decode

TEXT = "Marrow Built 1919 . Ada Quill and Ben Hollow built it . It sails ."
LINE: dict[str, Any] = {
    "id": "-7",
    "title": "Marrow",
    "question": "who built the marrow",
    "paragraph": TEXT,
    "sentence_starts": [7, 20, 56],
    "answers": [[[20, 29]]],
}


def test_the_answer_has_its_place_and_its_sentence() -> None:
    question = decode(Fields(LINE), 1)
    assert question.context is not None
    assert question.gold is not None
    sentences = [question.context.sentence(n) for n in range(len(question.context.sentences))]
    assert sentences == ["Marrow", "Built 1919 .", TEXT[20:55], "It sails ."]
    (answer,) = question.gold.answers
    assert (answer.text, answer.found_at[0].start) == ("Ada Quill", 20)
    assert question.gold.supporting_facts == (SupportingFact("Marrow", 2),)


def test_several_places_are_one_answer() -> None:
    question = decode(Fields({**LINE, "answers": [[[20, 29], [34, 44]]]}), 1)
    assert question.gold is not None
    assert question.gold.answers[0].kind is AnswerKind.SPANS
    assert question.gold.answers[0].texts == ("Ada Quill", "Ben Hollow")


@pytest.mark.parametrize("wrong", [[[]], [[[3, 3]]], [[[3, 999]]], [[3, 9]], [[["a", 9]]], ["x"]])
def test_places_are_checked(wrong: list[Any]) -> None:
    with pytest.raises(BadField, match="places"):
        decode(Fields({**LINE, "answers": wrong}), 1)


@given(st.lists(st.integers(0, 99)), st.text(max_size=60))
def test_sentences_follow_each_other_inside_the_text(starts: list[int], text: str) -> None:
    line = {**LINE, "paragraph": text, "sentence_starts": starts, "answers": []}
    document = decode(Fields(line), 1).context
    assert document is not None
    covered = "".join(text[start:end] for start, end in document.sentences)
    assert "".join(covered.split()) == "".join(text.split())
    ends = [0, *(end for _, end in document.sentences)]
    assert all(end <= start for end, (start, _) in zip(ends, document.sentences, strict=False))


def test_whole_tables_are_no_answers() -> None:
    left_out: Counter[str] = Counter()
    table = {**LINE, "paragraph": "a " * LONGEST, "answers": [[[0, LONGEST + 1]]]}
    questions = [decode(Fields(LINE), 1), decode(Fields(table), 2)]
    assert [question.id for question in short_answers(questions, left_out)] == ["-7"]
    assert left_out == {TOO_LONG: 1}
