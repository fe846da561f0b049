"""Evened channels: nothing changes in full precision, and less is lost in 8 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from lacuna.models.reader.encode import ModelInput, Tokenizer
from lacuna.models.reader.reader import INPUT_NAMES, padded
from lacuna_lab.train.export import Smoothed, channel_peaks, sample_inputs, smoothed
from lacuna_lab.train.network import Network, build


@pytest.fixture
def network(encoder: Path, tokenizer: Path) -> Network:
    made = build(encoder, Tokenizer(tokenizer).vocabulary)
    made.eval()
    with torch.no_grad():  # one channel far larger than the others
        for layer in made.encoder.encoder.layer:
            layer.attention.output.LayerNorm.weight[3] = 40.0
    return made


def scores(network: Network, one: ModelInput) -> list[Any]:
    batch = padded([one])
    with torch.no_grad():
        return list(network(*(torch.from_numpy(batch[name]) for name in INPUT_NAMES)))


def test_nothing_changes_but_the_spread(network: Network, tokenizer: Path) -> None:
    inputs = sample_inputs(Tokenizer(tokenizer), 8)
    assert inputs
    even = smoothed(network, inputs)
    for ours, theirs in zip(scores(even, inputs[0]), scores(network, inputs[0]), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4)
    assert not any(isinstance(part, Smoothed) for part in network.modules())
    name = "encoder.layer.1.intermediate.dense"
    before = channel_peaks(network, inputs)[name]
    after = channel_peaks(even, inputs)[f"{name}.layer"]
    assert after.max() / after.median() < before.max() / before.median() / 2


def test_the_sample_is_the_same_every_time(tokenizer: Path) -> None:
    pieces = Tokenizer(tokenizer)
    assert [list(one.ids) for one in sample_inputs(pieces, 5)] == [
        list(one.ids) for one in sample_inputs(pieces, 5)
    ]
