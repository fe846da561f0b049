"""Each question is asked of its own collection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lacuna.evaluation.asking import AskingSystem, CollectionsSystem
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.result import Result
from lacuna.types import Answer, Prediction, Question


class Echo(AskingSystem):
    """Answers with the name of what it was asked of."""

    def __init__(self, place: Path) -> None:
        self.name = place.name

    def ask(self, questions, *, progress=None):  # type: ignore[no-untyped-def]
        results = {}
        for question in questions:
            found = Prediction(Answer.span(self.name))
            results[question.id] = Result(question.text, None, found, (), ())
            progress(len(results))
        return results

    def score(self, questions, *, progress=None):  # type: ignore[no-untyped-def]
        return [f"{self.name} {question.id}" for question in questions]

    def consider(self, questions, *, progress=None):  # type: ignore[no-untyped-def]
        return [[f"{self.name} {question.id}"] for question in questions]


def test_questions_keep_their_order_and_each_collection_is_opened_once() -> None:
    opened: list[str] = []

    @contextmanager
    def open_collection(place: Path) -> Iterator[AskingSystem]:
        opened.append(place.name)
        yield Echo(place)

    places = {"1": Path("a"), "2": Path("b"), "3": Path("a")}
    system = CollectionsSystem(places, open_collection, "reader")
    questions = [Question(id_, "Who?") for id_ in places]
    progress: list[int] = []
    results = system.ask(questions, progress=progress.append)
    assert [(id_, result.answer.text) for id_, result in results.items()] == [
        ("1", "a"), ("2", "b"), ("3", "a"),
    ]  # fmt: skip
    assert (opened, progress) == (["a", "b"], [1, 2, 3])
    scored: list[ScoredAnswer | str] = [*system.score(questions)]
    assert scored == ["a 1", "b 2", "a 3"]
    considered: list[object] = [*system.consider(questions)]
    assert considered == [["a 1"], ["b 2"], ["a 3"]]
