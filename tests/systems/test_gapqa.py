from __future__ import annotations

from dataclasses import replace

import pytest
from gap_filler import GapAsker, GapReader

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.evaluation.system import QUESTIONS_AT_ONCE as CHUNK
from lacuna.evaluation.system import GapQASystem, core_facts
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Answer, Choice, Gold, Question

CHOICES = Choice("A", "wood"), Choice("B", "steel")
QUESTION = Question(
    *("q", "What does heat pass through?"),
    choices=CHOICES,
    fact="heat passes through metals",
    gold=Gold((Answer.choice("B", "steel"),)),
    extra={"humanScore": 1},
)


def test_every_question_is_asked_without_its_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GapAsker, "asked", ())
    questions = [replace(QUESTION, id=str(number)) for number in range(CHUNK + 3)]
    done: list[int] = []
    system = GapQASystem(GapAsker(GapReader(), KnowledgeBase()))
    setting = get_dataset("openbookqa").setting()
    arranged = map(setting.arrange, questions)
    predictions = system.predict(arranged, setting=setting, progress=done.append)
    assert list(predictions) == [question.id for question in questions]
    assert all(prediction.confidence is not None for prediction in predictions.values())
    assert done == [CHUNK, CHUNK + 3]
    assert {(one.gold, len(one.extra)) for one in GapAsker.asked} == {(None, 0)}


def test_core_facts_of_a_file() -> None:
    other = replace(QUESTION, id="other", fact="ice melts")
    assert core_facts([QUESTION, other]) == ["heat passes through metals", "ice melts"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (replace(QUESTION, fact=None), "'q' has no core fact"),
        (replace(QUESTION, choices=CHOICES[:1]), "fewer than two choices"),
        (
            replace(QUESTION, choices=(*CHOICES, Choice("C", " "))),
            "Choice C is empty in",
        ),
    ],
)
def test_a_question_without_a_gap_is_named(question: Question, words: str) -> None:
    with pytest.raises(LacunaError, match=words):
        core_facts([replace(QUESTION, id="fine"), question])
