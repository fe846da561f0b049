"""A trained network: saved in a folder, loaded again, and run in torch."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from transformers import AutoConfig, AutoModel

from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes
from lacuna.models.model_folder import (
    ENCODER,
    FORMATS,
    NETWORK,
    TOKENIZER,
    ModelFolder,
    ModelSystem,
    write_config,
)
from lacuna.models.reader.backend import Outputs, by_length, padded
from lacuna.models.reader.model_input import ModelInput
from lacuna.train.devices import best_device
from lacuna.train.mpnet_attention import quicken
from lacuna.train.network import Network


def save_network(network: Network, tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """Write a folder that ``load_network`` and the reader understand."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.contiguous() for name, value in network.state_dict().items()}))
    network.encoder.config.save_pretrained(folder / ENCODER)
    describe(tokenizer, folder, about)


def describe(tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """Write what every model has besides its weights: the tokenizer and the config."""
    if tokenizer.resolve() != (folder / TOKENIZER).resolve():
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    write_config(folder, {**about, "format": FORMATS[ModelSystem.READER]})


def is_trained(folder: Path) -> bool:
    """Whether a folder holds a network that was trained here, and not an encoder alone."""
    return (folder / NETWORK).is_file()


def load_network(folder: Path) -> Network:
    """Load a network that ``save_network`` wrote."""
    if not is_trained(folder):
        raise LacunaError(
            f"{folder} holds no trained network: {NETWORK} is missing. Give a folder in which "
            "`lacuna train` has finished."
        )
    try:
        config = AutoConfig.from_pretrained(folder / ENCODER)
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
        weights = load_file(folder / NETWORK)
        network = Network(encoder, weights["numbers"])
        network.float()  # the encoder's config may name half precision, in which nothing is learned
        network.load_state_dict(
            {
                name: value.float() if value.is_floating_point() else value
                for name, value in weights.items()
            }
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError) as problem:
        raise LacunaError(
            f"the network in {folder} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
        ) from problem
    quicken(encoder)
    return network


class TorchBackend:
    """Runs a network as it was trained: for scores on a GPU, and to compare exported files with."""

    at_once = 2048

    def __init__(
        self, network: Network, device: torch.device | str = "cpu", *, batch_tokens: int = 65_536
    ) -> None:
        self._network = network.to(device).eval()
        self._device = torch.device(device)
        self._batch_tokens = batch_tokens

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        outputs: dict[int, Outputs] = {}
        for batch in by_length(inputs, self._batch_tokens):
            feed = {
                name: torch.from_numpy(array).to(self._device)
                for name, array in padded([inputs[index] for index in batch]).items()
            }
            with torch.no_grad():
                per_token, per_sequence = self._network(**feed)
            rows = per_token.float().cpu().numpy(), per_sequence.float().cpu().numpy()
            for row, index in enumerate(batch):
                outputs[index] = rows[0][row, : len(inputs[index].ids)], rows[1][row]
        return [outputs[index] for index in range(len(inputs))]


def load_backend(folder: ModelFolder, threads: int | None) -> TorchBackend:
    """A network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    return TorchBackend(load_network(folder.path), best_device())
