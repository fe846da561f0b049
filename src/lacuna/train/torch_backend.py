"""Runs a network in torch: for dev scores on a GPU, and to compare the exported file with."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lacuna.models.reader.backend import Outputs, by_length, padded
from lacuna.models.reader.model_input import ModelInput
from lacuna.train.network import Network


class TorchBackend:
    """The network as it was trained."""

    at_once = 2048

    def __init__(
        self, network: Network, device: str = "cpu", *, batch_tokens: int = 65_536
    ) -> None:
        self._network = network.to(device).eval()
        self._device = torch.device(device)
        self._batch_tokens = batch_tokens

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        made: dict[int, Outputs] = {}
        for batch in by_length(inputs, self._batch_tokens):
            feed = {
                name: torch.from_numpy(array).to(self._device)
                for name, array in padded([inputs[index] for index in batch]).items()
            }
            with torch.no_grad():
                per_token, per_sequence = self._network(**feed)
            rows = per_token.float().cpu().numpy(), per_sequence.float().cpu().numpy()
            for row, index in enumerate(batch):
                made[index] = rows[0][row, : len(inputs[index].ids)], rows[1][row]
        return [made[index] for index in range(len(inputs))]
