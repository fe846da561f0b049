"""The tests before the work, the model in the loop, the review sample and the bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pairs_at_hand import GOOD, finished, payload_of

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.registry import Progress
from lacuna.types import Answer, Prediction, Question
from lacuna_collect.tasks.hotpotqa import FAMILY, HotpotQuestionsTask, bonuses
from lacuna_collect.tasks.task import CollectTask

TASK = HotpotQuestionsTask()


class ScriptedReader:
    """Answers with what it was given, one after the other."""

    def __init__(self, *predictions: Prediction) -> None:
        self.predictions = list(predictions)
        self.asked: list[Question] = []

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        self.asked += questions
        return [self.predictions.pop(0) for _ in questions]


@pytest.mark.parametrize("task", FAMILY.tasks, ids=lambda task: task.name)
def test_gold_is_acceptable_and_never_shown(task: CollectTask) -> None:
    items = task.qualification(task.settings)
    assert items
    for item in items:
        assert item.gold is not None
        assert not task.check(item.payload, item.gold, task.settings)
        assert task.score(item.payload, item.gold, item.gold) == 1
        assert task.score(item.payload, {}, item.gold) == 0
        shown = task.shown(item.payload, task.settings)
        assert not {"gold", "needs", "askable", "supporting"} & set(shown)
        for pair in item.payload.get("pairs", []):
            for anchor in pair["anchors"]:
                text = pair["paragraphs"][0]["sentences"][anchor["sentence"]]
                title = pair["paragraphs"][1]["title"]
                assert text[anchor["start"] : anchor["end"]] == title


def test_half_of_the_test_is_half_a_score() -> None:
    item = TASK.qualification(TASK.settings)[0]
    assert item.gold is not None
    wrong = {**item.gold, "answer": "rope-maker"}
    assert TASK.score(item.payload, wrong, item.gold) == 0.5


NO = Prediction(Answer.none(), confidence=0.9)


def test_the_model_tells_a_single_hop(corpus: Store) -> None:
    payload = payload_of(corpus, "bridge")
    reader = ScriptedReader(NO, Prediction(Answer.span("Grellby"), confidence=0.3))
    said = TASK.ask_model(reader, payload, GOOD["bridge"], "question")
    assert said["single_hop"] is True
    assert "“Tilda Roke”" in said["message"]
    assert [len(question.documents) for question in reader.asked] == [1, 1]
    said = TASK.ask_model(ScriptedReader(NO, NO), payload, GOOD["bridge"], "question")
    assert said["single_hop"] is False


def test_a_guessed_yes_is_no_single_hop(corpus: Store) -> None:
    payload = payload_of(corpus, "yes/no")
    for confidence, single in ((0.4, False), (0.8, True)):
        reader = ScriptedReader(NO, Prediction(Answer.no(), confidence=confidence))
        assert TASK.ask_model(reader, payload, GOOD["yes/no"], "")["single_hop"] is single


@pytest.mark.parametrize("work", [None, [], {"question": 7}, {"question": "\ud800"}])
def test_the_model_is_not_asked_nonsense(corpus: Store, work: Any) -> None:
    said = TASK.ask_model(ScriptedReader(), payload_of(corpus, "bridge"), work, "")
    assert said["single_hop"] is False


def test_a_writers_sample_is_bounded_and_not_for_the_writer(corpus: Store) -> None:
    works = [finished(corpus, "bridge", number, person=number % 2) for number in range(400)]
    items = [
        item for work in works for item in TASK.follow_up(work, TASK.settings)["hotpotqa-hops"]
    ]
    keys = {item.key for item in items}
    assert 15 <= len(keys) <= 20
    assert all(item.not_for == (item.payload["writer"],) for item in items)
    hops = FAMILY.tasks[3]
    assert "writer" not in hops.shown(items[0].payload, hops.settings)


def test_bonuses_for_the_best_and_for_pace(corpus: Store) -> None:
    settings = replace(
        TASK.settings,
        more={
            "best_every": 4,
            "best_workers": 1,
            "best_cents": 300,
            "pace_every": 2,
            "pace_least_per_hour": 30.0,
            "pace_cents": 100,
        },
    )
    works = [
        finished(corpus, "bridge", number, person, seconds)
        for number, person, seconds in [
            (1, 7, 100.0),
            (2, 8, 200.0),
            (3, 7, 140.0),
            (4, 7, 0.0),
            (5, 8, 200.0),
        ]
    ]
    earned = {bonus.key: bonus for bonus in bonuses(works[::-1], settings)}
    assert {(b.person, b.cents) for b in earned.values()} == {(7, 300), (7, 100)}
    assert any("3 of them" in bonus.reason for bonus in earned.values())
    more = [*works, *(finished(corpus, "bridge", n, 8, 10) for n in range(6, 9))]
    later = {bonus.key: bonus for bonus in bonuses(more, settings)}
    assert earned.items() <= later.items(), "what was earned stays as it was"
    assert len(later) > len(earned)
