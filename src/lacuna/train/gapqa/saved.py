"""A trained GapQA network in a folder, and how one is begun."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor
from transformers import AutoConfig, AutoModel

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.models.gapqa.question_rows import Shown
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.model_folder import (
    FORMATS,
    NETWORK,
    TOKENIZER,
    WORDS,
    ModelFolder,
    ModelSystem,
    find_model,
    is_gapqa,
    write_config,
)
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.gapqa.encoders import BiLstmRows, RowEncoder, TransformerRows
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.recipe import BILSTM, TRANSFORMER, GapRecipe
from lacuna.train.gapqa.word_vectors import Vocabulary
from lacuna.train.mpnet_attention import quicken
from lacuna.train.network import Network, build
from lacuna.train.saved import ENCODER, load_network

READER = "encoder.reader."


def begin_heads(folder: str, shown: Shown) -> GapNetwork:
    """A whole GapQA model to go on from, its encoder as it is for good; it may be shown more or
    less than before."""
    network = load_gap(find_model(folder, system=ModelSystem.GAPQA))
    network.shown = shown
    for weight in network.encoder.parameters():
        weight.requires_grad = False
    return network


def begin_transformer(encoder: str, tokenizer: Path) -> TransformerRows:
    """A transformer from a plain encoder, from the reader, or from an earlier GapQA model."""
    folder = Path(encoder)
    if not (folder / NETWORK).is_file():
        return TransformerRows(build(encoder, Tokenizer(tokenizer).vocabulary))
    if not is_gapqa(folder):
        return TransformerRows(load_network(folder))
    earlier = load_gap(find_model(folder, system=ModelSystem.GAPQA)).encoder
    if not isinstance(earlier, TransformerRows):
        raise LacunaError(f"{folder} holds no transformer to go on from. Give another encoder.")
    return earlier


def save_gap(
    network: GapNetwork,
    recipe: GapRecipe,
    folder: Path,
    about: dict[str, Any],
    *,
    tokenizer: Path | None = None,
    vocabulary: Vocabulary | None = None,
) -> None:
    """Write a folder that ``load_gap`` and the GapQA reader understand."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.contiguous() for name, value in network.state_dict().items()}))
    if isinstance(network.encoder, TransformerRows):
        network.encoder.reader.encoder.config.save_pretrained(folder / ENCODER)
    if tokenizer is not None:
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    if vocabulary is not None:
        with replace_text(folder / WORDS) as text:
            text.writelines(f"{word}\n" for word in vocabulary.known)
    config = {
        **about,
        "format": FORMATS[ModelSystem.GAPQA],
        "system": ModelSystem.GAPQA,
        "kind": recipe.kind,
        "shown": asdict(recipe.shown),
        "knowledge": recipe.knowledge,
        "retrieve_by": recipe.retrieve_by,
        "relations": [direction.name for direction in DIRECTIONS],
    }
    write_config(folder, config)


def load_gap(folder: ModelFolder) -> GapNetwork:
    """Read a network back."""
    try:
        weights = load_file(folder.network)
        network = GapNetwork(_encoder(folder, weights), Shown(**folder.config["shown"]))
        network.load_state_dict(
            {name: one.float() if one.is_floating_point() else one for name, one in weights.items()}
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError) as problem:
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short or of "
            "another version; train it anew."
        ) from problem
    network.eval()
    return network


def _encoder(folder: ModelFolder, weights: dict[str, Tensor]) -> RowEncoder:
    if folder.kind == BILSTM:
        return BiLstmRows(torch.zeros_like(weights["encoder.vectors.weight"], dtype=torch.float32))
    assert folder.kind == TRANSFORMER
    encoder = AutoModel.from_config(
        AutoConfig.from_pretrained(folder.path / ENCODER), add_pooling_layer=False
    )
    quicken(encoder)
    return TransformerRows(Network(encoder, weights[f"{READER}numbers"]))
