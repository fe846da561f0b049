"""StrategyQA's facts among others."""

from __future__ import annotations

from typing import Any

import pytest

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna_lab.data.lines import FEWEST, MOST, among_facts
from lacuna_lab.data.lines import decode_strategyqa as decode


def line(number: int) -> dict[str, Any]:
    return {
        "qid": f"q{number}",
        "term": f"Ferry {number}",
        "description": "a ferry",
        "question": f"Could ferry {number} carry a whale?",
        "answer": number % 2 == 0,
        "facts": [f"Ferry {number} carries {number} tons", f"A whale  weighs {number + 30} tons."],
        "decomposition": ["How much does it carry?", "Is #1 enough?"],
    }


def test_facts_become_sentences() -> None:
    context = decode(Fields(line(2)), 1).context
    assert context is not None
    assert (context.title, context.text) == (
        "Ferry 2",
        "Ferry 2 carries 2 tons. A whale weighs 32 tons.",
    )
    with pytest.raises(BadField, match="facts"):
        decode(Fields({**line(2), "facts": [""]}), 1)


def test_the_facts_that_decide_are_hidden_among_others() -> None:
    real = [decode(Fields(line(number)), number) for number in range(20)]
    made = list(among_facts(real, 1))
    assert made == list(among_facts(real, 1))
    for before, question in zip(real, made, strict=True):
        assert before.context
        assert question.context
        assert question.gold
        facts = question.gold.supporting_facts or ()
        decisive = {question.context.sentence(fact.sentence) for fact in facts}
        own = {before.context.sentence(number) for number in range(2)}
        assert decisive == own
        assert FEWEST <= len(question.context.sentences) - len(own) <= MOST
    assert len({question.gold.supporting_facts for question in made if question.gold}) > 10
