"""Even out the inputs of a layer, so that rounding them with one scale loses little.

Some channels of a network's states are ten times as large as the others. Rounded to 8 bits with
one scale, the others would be left with a few steps each. So each channel is divided by a factor,
and the weights that it is multiplied with are multiplied by the same factor: in full precision
nothing changes (SmoothQuant, Xiao et al. 2023).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from importlib.resources import as_file, files
from itertools import islice

import torch
from torch import Tensor, nn

from lacuna.answer_mode import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.models.reader.backend import INPUT_NAMES, padded
from lacuna.models.reader.encode import QuestionEncoder
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.network import Network

SHARE = 0.8
"""How much of the unevenness the weights take over, whose channels have scales of their own."""
LEAST = 1e-3
MODES = (AnswerMode.ASK, AnswerMode.HOP, AnswerMode.CALCULATE, AnswerMode.ABSTAIN)
"""Those that read a context and documents; sample inputs have each in turn."""


class Smoothed(nn.Module):
    """A layer whose input channels are evened out, and whose output stays the same."""

    def __init__(self, layer: nn.Linear, factors: Tensor) -> None:
        super().__init__()
        self.layer = layer
        self.register_buffer("inverse", 1 / factors)
        with torch.no_grad():
            layer.weight.mul_(factors)

    def forward(self, states: Tensor) -> Tensor:
        return self.layer(states * self.inverse)


def smoothed(network: Network, inputs: Sequence[ModelInput]) -> Network:
    """A copy with evened-out layers; ``inputs`` show how uneven their channels are."""
    network = copy.deepcopy(network)
    peaks = channel_peaks(network, inputs)
    for name, peak in peaks.items():
        parent, _, leaf = name.rpartition(".")
        layer = network.encoder.get_submodule(name)
        strongest = layer.weight.detach().abs().amax(0).clamp(min=LEAST)
        factors = peak.clamp(min=LEAST) ** SHARE / strongest ** (1 - SHARE)
        factors = (factors / factors.mean()).clamp(min=1e-2)
        setattr(network.encoder.get_submodule(parent), leaf, Smoothed(layer, factors))
    return network


def channel_peaks(network: Network, inputs: Sequence[ModelInput]) -> dict[str, Tensor]:
    """The largest value in each input channel of each linear layer of the encoder."""
    peaks: dict[str, Tensor] = {}

    def watch(name: str) -> torch.utils.hooks.RemovableHandle:
        def record(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            largest = given[0].detach().abs().flatten(0, -2).amax(0)
            peaks[name] = torch.maximum(peaks.get(name, largest), largest)

        return layers[name].register_forward_pre_hook(record)

    modules = network.encoder.named_modules()
    layers = {name: module for name, module in modules if isinstance(module, nn.Linear)}
    hooks = [watch(name) for name in layers]
    with torch.no_grad():
        for model_input in inputs:
            batch = padded([model_input])
            network(*(torch.from_numpy(batch[name]) for name in INPUT_NAMES))
    for hook in hooks:
        hook.remove()
    return peaks


def sample_inputs(tokenizer: Tokenizer, count: int = 96) -> list[ModelInput]:
    """Inputs that need no dataset: questions about the demo with the texts that answer them."""
    inputs = []
    arrange = get_dataset("iirc").setting("oracle-context").arrange
    demo = files("lacuna") / "assets" / "demo" / "questions.json"
    with as_file(demo) as path, get_dataset("iirc").open(path) as reader:
        for number, question in enumerate(islice(reader.questions(), count)):
            asked = arrange(question)
            whole = QuestionEncoder(tokenizer, asked, MODES[number % len(MODES)]).whole()
            if whole is not None:
                inputs.append(whole)
    return inputs
