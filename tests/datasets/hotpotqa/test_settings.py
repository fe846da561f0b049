from __future__ import annotations

import pytest

from lacuna import (
    Answer,
    Evidence,
    Gold,
    LacunaError,
    Prediction,
    Question,
    SupportingFact,
    get_dataset,
)
from lacuna.datasets.hotpotqa import document_of

PARAGRAPHS = (
    document_of("A", ["Zero.", " One is here.", " Two.", " Three too."]),
    document_of("B", ["Other."]),
    document_of("C", ["First.", " Second."]),
)
FACTS = (SupportingFact("C", 1), SupportingFact("A", 3), SupportingFact("A", 1))


def hotpot(*facts: SupportingFact) -> Question:
    gold = Gold((Answer.span("One"),), supporting_facts=facts)
    return Question("h", "?", documents=PARAGRAPHS, gold=gold)


def arranged(setting: str, question: Question) -> Question:
    return get_dataset("hotpotqa").setting(setting).arrange(question)


def titles(question: Question) -> list[str]:
    return [document.title for document in question.documents]


def test_gold_paragraphs() -> None:
    assert titles(arranged("distractor", hotpot(*FACTS))) == ["A", "B", "C"]
    assert titles(arranged("gold-only", hotpot(*FACTS))) == ["A", "C"]


def test_supporting_sentences_and_the_way_back() -> None:
    question = hotpot(*FACTS, SupportingFact("A", 9), SupportingFact("gone", 0))
    entered = arranged("supporting-facts-only", question)
    assert [document.text for document in entered.documents] == [
        *(" One is here. Three too.", " Second.")
    ]
    facts = tuple(
        SupportingFact(document.title, number)
        for document in entered.documents
        for number in range(len(document.sentences))
    )
    text = entered.documents[0].text
    place = Evidence("A", text.index("Three"), text.index("Three") + 5)
    across = Evidence("A", text.index("here"), text.index("Three") + 5)
    predicted = Prediction(Answer.span("Three", place), evidence=(across,), supporting_facts=facts)
    back = get_dataset("hotpotqa").setting("supporting-facts-only").restore(question, predicted)
    assert set(back.supporting_facts or ()) == set(FACTS)
    whole = PARAGRAPHS[0].text
    assert back.answer is not None
    (found,) = back.answer.found_at
    assert whole[found.start : found.end] == "Three"
    (segment,) = back.evidence
    assert whole[segment.start : segment.end] == "here. Two. Three"
    assert get_dataset("hotpotqa").setting("distractor").restore(question, predicted) is predicted


def test_gold_settings_need_supporting_facts() -> None:
    for setting in ("gold-only", "supporting-facts-only"):
        with pytest.raises(LacunaError, match="has no supporting_facts"):
            arranged(setting, Question("h", "?", documents=PARAGRAPHS))


def test_the_question_alone_is_asked_of_all_of_wikipedia() -> None:
    asked = arranged("fullwiki", hotpot(*FACTS))
    assert (asked.context, asked.documents) == (None, ())
