from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import changed, colour_examples, weights

from lacuna.train.gap.dataset import Dataset
from lacuna.train.gap.frozen import Frozen, tune_heads
from lacuna.train.gap.loop import SCORE_BATCH, Ended, choice_scores
from lacuna.train.gap.recipe import GapRecipe

RECIPE = GapRecipe("toy", "model", only_heads=True, epochs=60, head_learning_rate=1e-2)


def test_heads_change_and_the_encoder_does_not(bilstm: Any) -> None:
    examples, network = colour_examples() * 2, bilstm()
    data = Dataset.of(examples)
    before = weights(network)
    read: list[int] = []
    frozen = Frozen(network, data, read.append)
    assert read == [SCORE_BATCH, len(examples)]
    told: list[int] = []
    assert tune_heads(RECIPE, 1, network, frozen, told.append) == Ended(60, None)
    assert told == list(range(1, 61))
    heads = {name for name in before if name.startswith("heads.")}
    assert {"heads.fact.0.weight", "heads.composed.0.weight"} <= heads
    assert changed(before, weights(network)) >= {name for name in heads if "weight" in name}
    assert changed(before, weights(network)) <= heads
    scores = choice_scores(network, data, range(len(data)), "no")
    right = [int(one.argmax()) == gold.right for one, gold in zip(scores, examples, strict=True)]
    assert sum(right) / len(right) > 0.8, "the heads alone learn most of it"


def test_the_order_is_another_each_epoch_and_the_same_each_run(bilstm: Any) -> None:
    frozen = Frozen(bilstm(), Dataset.of(colour_examples() * 6))

    def order(seed: int, epoch: int) -> list[int]:
        return [id(targets) for _, targets in frozen.shuffled(seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert sorted(order(1, 0)) == sorted(order(1, 1))
    assert len({tuple(order(1, epoch)) for epoch in range(5)}) > 1
