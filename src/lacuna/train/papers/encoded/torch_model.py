"""A network over a pretrained encoder: saved in a folder, and loaded again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from lacuna.errors import LacunaError
from lacuna.models.model_folder import ModelFolder, write_config
from lacuna.train.devices import best_device
from lacuna.train.papers.encoded.encoder import encoder_of_model
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.encoded.recipe import EncoderRecipe
from lacuna.train.papers.model_files import paper_config, save_weights
from lacuna.train.papers.trainer import PaperTrainingEnd

READ_TOGETHER = 32
"""Inputs that are read in one batch."""


class LoadedNetwork(NamedTuple):
    """A trained network, ready to read, with what it is made of."""

    task: Any
    network: Any
    tokenizer: PieceTokenizer
    device: torch.device


def save_encoded(
    network: Any,
    recipe: EncoderRecipe,
    tokenizer: PieceTokenizer,
    folder: Path,
    seed: int,
    end: PaperTrainingEnd,
) -> None:
    """Write a folder that ``load_encoded`` understands."""
    save_weights(network, folder)
    network.encoder.save(folder)
    tokenizer.save(folder)
    write_config(folder, paper_config(recipe, seed, end))


def load_encoded(folder: ModelFolder, threads: int | None) -> LoadedNetwork:
    """A trained network, on the GPU if there is one."""
    from lacuna.train.papers.tasks import make_paper_task

    if threads is not None:
        torch.set_num_threads(threads)
    try:
        task = make_paper_task(folder.config["recipe"], str(folder.path))
        network: nn.Module = task.network(encoder_of_model(folder.path))
        network.load_state_dict(load_file(folder.network))
        tokenizer = PieceTokenizer.load(folder.path)
    except LacunaError:
        raise
    except Exception as problem:  # tokenizers raises nothing more special
        known = (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError)
        if not isinstance(problem, known) and type(problem) is not Exception:
            raise
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
        ) from problem
    device = best_device()
    return LoadedNetwork(task, network.to(device).eval(), tokenizer, device)
