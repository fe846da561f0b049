"""A trained network in a folder: weights, tokenizer, the encoder's shape and what it came from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from transformers import AutoConfig, AutoModel

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.models.model_folder import (
    FORMATS,
    NETWORK,
    TOKENIZER,
    ModelFolder,
    ModelSystem,
    write_config,
)
from lacuna.train.mpnet_attention import quicken
from lacuna.train.network import Network
from lacuna.train.torch_backend import TorchBackend

ENCODER = "encoder"


def save_network(network: Network, tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """Write a folder that ``load_network`` and the reader understand."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.contiguous() for name, value in network.state_dict().items()}))
    network.encoder.config.save_pretrained(folder / ENCODER)
    describe(tokenizer, folder, about)


def describe(tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """What every model has beside its weights: the tokenizer, and what it is."""
    if tokenizer.resolve() != (folder / TOKENIZER).resolve():
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    write_config(folder, {**about, "format": FORMATS[ModelSystem.READER]})


def load_network(folder: Path) -> Network:
    """Read a network back."""
    if not (folder / NETWORK).is_file():
        raise LacunaError(
            f"{folder} holds no trained network: {NETWORK} is missing. Give a folder in which "
            "`lacuna train` has come to its end."
        )
    try:
        config = AutoConfig.from_pretrained(folder / ENCODER)
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
        weights = load_file(folder / NETWORK)
        network = Network(encoder, weights["numbers"])
        network.load_state_dict(
            {
                name: value.float() if value.is_floating_point() else value
                for name, value in weights.items()
            }
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError) as problem:
        raise LacunaError(
            f"the network in {folder} cannot be read ({problem}). It may be cut short or of "
            "another version; train it anew."
        ) from problem
    quicken(encoder)
    return network


def load_backend(folder: ModelFolder, threads: int | None) -> TorchBackend:
    """A network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return TorchBackend(load_network(folder.path), device)
