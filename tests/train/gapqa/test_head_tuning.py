from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import changed, colour_examples, weights

from lacuna_lab.gapqa.data import GapDataset, RelationFeatures
from lacuna_lab.gapqa.recipe import GapRecipe
from lacuna_lab.gapqa.run import (
    SCORE_BATCH,
    CachedFeatures,
    GapTrainingEnd,
    choice_scores,
    tune_heads,
)

EPOCHS = 200
RECIPE = GapRecipe(
    "toy", "model", only_heads=True, epochs=EPOCHS, head_learning_rate=1e-2, line_weight=10
)
SAME, OTHER = 16, 3
"""What a line that says the same word twice is labelled with, and what another one is."""


def labelled() -> list[Any]:
    return [
        replace(one, lines=(SAME, OTHER) if one.right == 0 else (OTHER, SAME))
        for one in colour_examples() * 2
    ]


def test_heads_learn_relations_and_go_on_choosing_as_they_did(bilstm: Any) -> None:
    examples, network = labelled(), bilstm()
    data, before = GapDataset.of(examples), weights(network)
    chosen = choice_scores(network, data, range(len(data)), "no")
    read: list[int] = []
    cached = CachedFeatures(network, data, read.append)
    assert read == [SCORE_BATCH, len(examples)]
    steps: list[int] = []
    nothing = RelationFeatures.of(network, [])
    end = tune_heads(RECIPE, 1, network, cached, nothing, steps.append)
    assert end == GapTrainingEnd(EPOCHS, None)
    assert steps == list(range(1, EPOCHS + 1))

    heads = {name for name in before if name.startswith("heads.")}
    assert {name for name in heads if "relation" in name} <= changed(before, weights(network))
    assert changed(before, weights(network)) <= heads, "the encoder stays as it is"

    right = []
    for features, targets in cached.batches:
        with torch.no_grad():
            scores = network.heads(features, knowledge=True)
        right += (scores.lines.argmax(1) == targets.lines).tolist()
    assert sum(right) / len(right) > 0.9

    for was, now in zip(chosen, choice_scores(network, data, range(len(data)), "no"), strict=True):
        assert abs((was[0] - was[1]) - (now[0] - now[1])) < 0.5
