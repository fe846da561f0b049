"""Relation questions over one sentence."""

from __future__ import annotations

import pytest

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna_lab.data.lines import among_sentences
from lacuna_lab.data.lines import decode_zre as decode

LINES = [
    {
        "context": f"Ferry {number} was built by {who} in {1900 + number}.",
        "question": f"Who made Ferry {number}?",
        "answers": [who],
    }
    for number, who in enumerate(["Ada Quill", "Ben Hollow", "Ada Quill", "Cy Marsh"] * 3)
]


def test_the_answer_must_stand_in_the_sentence() -> None:
    with pytest.raises(BadField, match="words of the context"):
        decode(Fields({**LINES[0], "answers": ["Ada Qui"]}), 1)


def test_a_sentence_is_hidden_among_others_without_the_answer() -> None:
    real = [decode(Fields(line), number) for number, line in enumerate(LINES)]
    made = list(among_sentences(real, 1))
    assert made == list(among_sentences(real, 1))
    for line, question in zip(LINES, made, strict=True):
        assert question.context
        assert question.gold
        (answer,) = question.gold.answers
        (place,) = answer.found_at
        assert question.context.text[place.start : place.end] == line["answers"][0]
        assert question.context.text.count(answer.text) == 1
        (fact,) = question.gold.supporting_facts or ()
        assert question.context.sentence(fact.sentence) == line["context"]
    assert len(made[0].context.sentences if made[0].context else ()) == 1
    assert all(len(each.context.sentences) > 1 for each in made[3:] if each.context)
