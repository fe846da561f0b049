"""The networks that choose: what each of them sees, and that padding and company change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna.models.model_folder import ModelSystem
from lacuna.types import Answer, Choice, Document, Gold, Question
from lacuna_lab.papers.run import make_paper_task
from lacuna_lab.papers.words import PaperDataset, TokenTable

SYSTEMS = (ModelSystem.QUESTION_TO_CHOICE, ModelSystem.ESIM, ModelSystem.KER)
PLAIN = Question(
    "1",
    "What lets heat pass?",
    choices=(Choice("A", "a steel ladle"), Choice("B", "a mitten")),
    fact="metals let heat pass",
    gold=Gold((Answer.choice("A", "a steel ladle"),)),
)
OTHER = Question(
    "2",
    "Which animal that lives in the far and cold north is white in winter?",
    choices=(Choice("A", "a hare"), Choice("B", "a snake"), Choice("C", "a green frog")),
    fact="some animals change colour",
    gold=Gold((Answer.choice("C", "a green frog"),)),
)
KNOWN = replace(
    OTHER, id="3", documents=(Document("A", "a hare turns white\nsnow is white"), Document("C", ""))
)


class Ready:
    """An untrained network over those questions, always the same."""

    def __init__(self, system: str, *questions: Question) -> None:
        raw = {"name": "x", "system": system, "hidden": 6, "dropout": 0.0}
        self.task: Any = make_paper_task(raw, "x")
        table = TokenTable()
        # All words are there, whichever questions are asked, so that all networks are alike.
        for question in (PLAIN, OTHER, KNOWN):
            self.task.trainable(question, table)
        self.examples: Any = [self.task.trainable(each, table) for each in questions]
        vocabulary = table.vocabulary()
        self.data = PaperDataset(self.task, self.examples, table.arrays(vocabulary))
        torch.manual_seed(1)
        self.network = self.task.network(torch.randn(2 + len(vocabulary.known), 8)).eval()

    def batch(self, *numbers: int) -> Any:
        return next(self.data.batches(numbers, len(numbers)))[0]

    def scores(self, *numbers: int) -> Any:
        with torch.no_grad():
            return self.network(self.batch(*numbers))


@pytest.mark.parametrize("system", SYSTEMS)
def test_company_makes_no_difference(system: str) -> None:
    ready = Ready(system, PLAIN, OTHER, KNOWN)
    together = ready.scores(0, 1, 2)
    assert together.shape == (8,)
    alone = torch.cat([ready.scores(number) for number in range(3)])
    assert torch.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_weight_learns(system: str) -> None:
    ready = Ready(system, PLAIN, OTHER, KNOWN)
    loss = ready.network.loss(ready.batch(0, 1, 2))
    loss.backward()
    assert loss > 0
    still = [name for name, weight in ready.network.named_parameters() if weight.grad is None]
    assert still == []


def test_only_the_knowledge_reader_sees_fact_and_knowledge() -> None:
    otherwise = replace(PLAIN, fact="a mitten is a glove")
    for system in SYSTEMS:
        ready = Ready(system, PLAIN, otherwise, OTHER, KNOWN)
        same_fact = torch.allclose(ready.scores(0), ready.scores(1), atol=1e-6)
        same_knowledge = torch.allclose(ready.scores(2), ready.scores(3), atol=1e-6)
        assert same_fact is same_knowledge is (system != ModelSystem.KER)


def test_a_choice_without_any_line_can_be_read() -> None:
    ready = Ready(ModelSystem.KER, replace(PLAIN, fact="?"), KNOWN)
    assert bool(torch.isfinite(ready.scores(0, 1)).all())
    bare = ready.task.example(replace(PLAIN, fact=None), TokenTable(), 10)
    assert bare.lines == ((), ())


@pytest.mark.parametrize("system", SYSTEMS)
def test_predictions_are_choices_of_their_own_question(system: str) -> None:
    ready = Ready(system, PLAIN, OTHER)
    with torch.no_grad():
        first, second = ready.task.predictions(
            ready.network, ready.batch(0, 1), [PLAIN, OTHER], ready.examples
        )
    assert first.answer.label in "AB"
    assert first.confidence >= 1 / 2
    assert second.answer.texts[0] in {choice.text for choice in OTHER.choices}


def test_what_cannot_be_learned_from_is_passed_over() -> None:
    task: Any = make_paper_task({"name": "x", "system": "ker"}, "x")
    assert task.trainable(replace(PLAIN, gold=None), TokenTable()) is None
    assert task.trainable(replace(PLAIN, fact=None), TokenTable()) is None
    no_fact: Any = make_paper_task({"name": "x", "system": "esim"}, "x")
    assert no_fact.trainable(replace(PLAIN, fact=None), TokenTable()) is not None
