"""What the folders of all papers' networks hold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import nn

from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes
from lacuna.models.model_folder import FORMATS, NETWORK, ModelSystem
from lacuna.train.papers.recipe import PaperRecipe
from lacuna.train.papers.trainer import PaperTrainingEnd
from lacuna.version import __version__


def recipe_values(recipe: PaperRecipe) -> dict[str, Any]:
    """A recipe as the plain values that it is made from."""
    values = asdict(recipe)
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def save_weights(network: nn.Module, folder: Path) -> None:
    """Write what a network has learned."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    weights = network.state_dict().items()
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.cpu().contiguous() for name, value in weights}))


def paper_config(recipe: PaperRecipe, seed: int, end: PaperTrainingEnd) -> dict[str, Any]:
    """How a network came about; it is written last of all."""
    return {
        "name": f"{recipe.name}-{seed}",
        "made_with": __version__,
        "recipe": recipe_values(recipe),
        "epochs": end.epochs,
        "loss": end.loss,
        "held_out_loss": end.held_out,
        "format": FORMATS[ModelSystem(recipe.system)],
        "system": recipe.system,
    }
