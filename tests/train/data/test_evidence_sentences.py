"""Sentences that are evidence."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lacuna.types import Span, SupportingFact
from lacuna_lab.data.texts import hidden_among, sentences_at, with_sentences

SENTENCES = st.lists(st.text("ab c", min_size=1).filter(str.strip), max_size=5)


def test_a_place_may_touch_two_sentences() -> None:
    document = with_sentences("T", "Heading\nIt sails. It is old. It sank.")
    texts = [document.sentence(number) for number in range(len(document.sentences))]
    assert texts == ["Heading", "It sails.", "It is old.", "It sank."]
    assert sentences_at(document, [Span(11, 20)]) == (
        SupportingFact("T", 1),
        SupportingFact("T", 2),
    )
    assert sentences_at(document, []) == ()


@given(SENTENCES, SENTENCES, st.integers())
def test_hidden_sentences_are_found_again(own: list[str], others: list[str], seed: int) -> None:
    document, facts = hidden_among("T", own, others, Random(seed))
    assert sorted(document.sentence(fact.sentence) for fact in facts) == sorted(own)
    assert len(document.sentences) == len(own) + len(others)
