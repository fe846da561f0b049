"""Even out what a layer takes in, so that one scale for all of it loses little.

Some channels of a network's states are ten times as large as the others. Rounded to 8 bits with
one scale, the others would be left with a few steps each. So each channel is divided by a factor,
and the weights that take it in are multiplied by the same: in full precision nothing changes
(SmoothQuant, Xiao et al. 2023).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from lacuna.models.reader.backend import INPUT_NAMES, padded
from lacuna.models.reader.model_input import ModelInput
from lacuna.train.network import Network

SHARE = 0.8
"""How much of the unevenness the weights take over, whose channels have scales of their own."""
LEAST = 1e-3


class Smoothed(nn.Module):
    """A layer that takes in evened channels, and gives what it gave before."""

    def __init__(self, layer: nn.Linear, factors: Tensor) -> None:
        super().__init__()
        self.layer = layer
        self.register_buffer("inverse", 1 / factors)
        with torch.no_grad():
            layer.weight.mul_(factors)

    def forward(self, states: Tensor) -> Tensor:
        return self.layer(states * self.inverse)


def smoothed(network: Network, inputs: Sequence[ModelInput]) -> Network:
    """A copy whose layers take in evened channels; ``inputs`` show how uneven they are."""
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
    """The largest value of each channel that each linear layer of the encoder takes in."""
    peaks: dict[str, Tensor] = {}

    def on_step(name: str) -> torch.utils.hooks.RemovableHandle:
        def seen(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            largest = given[0].detach().abs().flatten(0, -2).amax(0)
            peaks[name] = torch.maximum(peaks.get(name, largest), largest)

        return layers[name].register_forward_pre_hook(seen)

    modules = network.encoder.named_modules()
    layers = {name: one for name, one in modules if isinstance(one, nn.Linear)}
    watching = [on_step(name) for name in layers]
    with torch.no_grad():
        for one in inputs:
            batch = padded([one])
            network(*(torch.from_numpy(batch[name]) for name in INPUT_NAMES))
    for hook in watching:
        hook.remove()
    return peaks
