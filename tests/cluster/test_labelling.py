"""Training data that a cluster has labelled is that of one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna.datasets import get_dataset
from lacuna.models.model_folder import SHIPPED, TOKENIZER
from lacuna_lab.train.cache import Labeller, UnlabelledChunk
from lacuna_scale.cluster.connection import connected
from lacuna_scale.cluster.labelling import labelling_on

TOKENS = SHIPPED / "small" / TOKENIZER


def test_the_same_inputs_in_the_same_order(cluster: Any, examples: Path) -> None:
    with get_dataset("squad").open(examples / "squad.json") as reader:
        questions = list(reader.questions())
    chunks = [UnlabelledChunk("squad1", questions[:count], count) for count in (5, 3, 1, 4)]
    labeller = Labeller(TOKENS)
    here = [labeller.work(chunk) for chunk in chunks]
    with connected(cluster.address) as reached:
        there = list(labelling_on(reached, TOKENS)(chunks))
    assert [without for _, without in there] == [without for _, without in here]
    assert sum(len(instances) for instances, _ in here) > 5
    for (one, _), (other, _) in zip(here, there, strict=True):
        assert other.digest() == one.digest()
