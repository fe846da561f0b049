"""The networks: padding changes nothing, and settings take away what they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna.datasets import get_dataset
from lacuna.types import Document, Question, Turn
from lacuna_lab.papers.run import PaperReader, make_paper_task
from lacuna_lab.papers.words import PaperDataset, TokenTable

SYSTEMS = {"hotpotqa-paper": "hotpotqa", "quac-paper": "quac"}


class Ready:
    """An untrained network over the examples, always the same."""

    def __init__(self, system: str, examples: Path, **settings: Any) -> None:
        raw = {"name": "x", "system": system, "hidden": 6, "dropout": 0.0, **settings}
        self.task, table = make_paper_task(raw, "x"), TokenTable()
        dataset = get_dataset(SYSTEMS[system])
        with dataset.open(examples / f"{dataset.name}.json") as reader:
            self.questions = list(reader.questions())
        made = [self.task.trainable(question, table) for question in self.questions]
        self.vocabulary = table.vocabulary()
        kept = [example for example in made if example is not None]
        self.data = PaperDataset(self.task, kept, table.arrays(self.vocabulary))
        torch.manual_seed(1)
        vectors = torch.randn(2 + len(self.vocabulary.known), 8)
        self.network: Any = self.task.network(vectors).eval()

    def batch(self, *numbers: int) -> Any:
        return next(self.data.batches(numbers, len(numbers)))[0]

    @property
    def weights(self) -> int:
        return sum(weight.numel() for weight in self.network.parameters())


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_text_is_read_beside_makes_no_difference(system: str, examples: Path) -> None:
    ready = Ready(system, examples)
    for number in range(len(ready.data.examples)):
        alone, beside = ready.batch(number), ready.batch(number, *range(len(ready.data.examples)))
        words = int(alone.context_lengths[0])
        with torch.no_grad():
            own, other = ready.network(alone), ready.network(beside)
        assert torch.allclose(own.start[0], other.start[0, :words], atol=1e-5)
        assert torch.allclose(own.end[0], other.end[0, :words], atol=1e-5)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_weight_learns(system: str, examples: Path) -> None:
    ready = Ready(system, examples)
    ready.network.loss(ready.batch(*range(len(ready.data.examples)))).backward()
    still = [name for name, weight in ready.network.named_parameters() if weight.grad is None]
    assert still == []


def test_the_ablations_take_something_away(examples: Path) -> None:
    whole = Ready("hotpotqa-paper", examples)
    assert Ready("hotpotqa-paper", examples, self_attention=False).weights < whole.weights
    assert Ready("hotpotqa-paper", examples, characters=False).weights < whole.weights
    alone = Ready("hotpotqa-paper", examples, support_weight=0.0)
    batch = whole.batch(0, 1)
    with torch.no_grad():
        assert alone.network.loss(batch) < whole.network.loss(batch)
        turned = replace(batch, support=~batch.support)
        assert alone.network.loss(batch) == alone.network.loss(turned)
        assert whole.network.loss(batch) != whole.network.loss(turned)
    reader = PaperReader(alone.task, alone.network, alone.vocabulary)
    assert reader.read(alone.questions)[0].supporting_facts is None


def test_earlier_answers_and_the_turn_are_seen_only_with_a_history(examples: Path) -> None:
    for history in (0, 2):
        ready = Ready("quac-paper", examples, history=history)
        batch = ready.batch(1)
        with torch.no_grad():
            before = ready.network(batch).start
            marked = replace(batch, markers=torch.ones_like(batch.markers))
            later = replace(batch, turns=batch.turns + 1)
            changed = [not torch.equal(before, ready.network(b).start) for b in (marked, later)]
        assert changed == [history > 0] * 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_odd_questions_are_read(system: str, examples: Path) -> None:
    ready = Ready(system, examples)
    reader = PaperReader(ready.task, ready.network, ready.vocabulary)
    odd = Document("→", "\u200b 中文 _ " + "x" * 50)
    questions = [
        Question("empty", "", Document("", ""), (Document("", ""),)),
        Question("odd", "中?", odd, (odd,), history=(Turn("a"), Turn("b"))),
        *ready.questions,
    ]
    predictions = reader.read([replace(question, gold=None) for question in questions])
    assert len(predictions) == len(questions)
    assert all(one.answer is not None and 0 <= (one.confidence or 0) <= 1 for one in predictions)
    assert reader.read([]) == []
