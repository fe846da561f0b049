"""HotpotQA's floors: the nearest sentence, and the expected kind of answer."""

from __future__ import annotations

import pytest

from lacuna import Answer, Question, SupportingFact
from lacuna.datasets.baselines import expected_kind, nearest_sentence
from lacuna.datasets.hotpotqa import document_of

DOCUMENTS = (
    document_of("Osk", ["Osk is an island.", " Ellen Voss sold its ferry in 1931 for 12 pounds."]),
    document_of("Tea", ["Tea is drunk cold."]),
)


def asked(text: str) -> Question:
    return Question("q", text, documents=DOCUMENTS)


def test_the_nearest_sentence_is_answer_and_evidence() -> None:
    prediction = nearest_sentence(())(asked("Is the tea cold?"))
    assert prediction.answer is not None
    assert prediction.answer.text == "Tea is drunk cold."
    assert prediction.supporting_facts is not None
    assert prediction.supporting_facts[0] == SupportingFact("Tea", 0)
    place = prediction.answer.found_at[0]
    assert DOCUMENTS[1].text[place.start : place.end] == "Tea is drunk cold."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Was the ferry sold?", Answer.yes().text),
        ("When was the ferry sold?", "1931"),
        ("How many pounds was the ferry?", "1931"),
        ("Who sold the ferry?", "Ellen Voss"),
        ("Which is an island, Osk or Tea?", "Osk"),
    ],
)
def test_the_kind_that_is_asked_for(text: str, answer: str) -> None:
    given = expected_kind(())(asked(text)).answer
    assert given is not None
    assert given.text == answer


def test_without_paragraphs_there_is_nothing_to_say() -> None:
    for baseline in (nearest_sentence(()), expected_kind(())):
        prediction = baseline(Question("q", "Who sold the ferry?"))
        assert prediction.answer == Answer.none()
        assert prediction.supporting_facts == ()
