"""A GapQA network: begun, saved in a folder, loaded again, and run in torch."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor
from transformers import AutoConfig, AutoModel

from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.models.gapqa.backend import ChoiceScores, Floats
from lacuna.models.gapqa.question_rows import MakesRows, QuestionRows, Shown
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Row, RowMaker, padded
from lacuna.models.model_folder import (
    ENCODER,
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
from lacuna.train.devices import best_device
from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.encoders import BiLstmRows, RowEncoder, TransformerRows
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.prepare import GapExample
from lacuna.train.gapqa.recipe import BILSTM, TRANSFORMER, GapRecipe
from lacuna.train.gapqa.trainer import SCORE_BATCH, batches
from lacuna.train.gapqa.word_vectors import Vocabulary, WordRows
from lacuna.train.mpnet_attention import quicken
from lacuna.train.network import Network, build
from lacuna.train.torch_model import load_network

READER = "encoder.reader."


def begin_heads(folder: str, shown: Shown) -> GapNetwork:
    """A GapQA model whose encoder stays as it is; it may be shown more or less than before."""
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
        raise LacunaError(f"{folder} holds no transformer to start from. Give another encoder.")
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
    remove_checksums(folder)
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
    """Load a network that ``save_gap`` wrote."""
    try:
        weights = load_file(folder.network)
        network = GapNetwork(_encoder(folder, weights), Shown(**folder.config["shown"]))
        network.load_state_dict(
            {name: w.float() if w.is_floating_point() else w for name, w in weights.items()}
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError) as problem:
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
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


class TorchGapBackend:
    """Runs a network as it was trained: one that was not exported, or a BiLSTM."""

    def __init__(self, network: GapNetwork, rows: MakesRows) -> None:
        self._device = best_device()
        self._network = network.to(self._device).eval()
        self.rows = rows

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        spans: list[Floats] = []
        for start in range(0, len(rows), SCORE_BATCH):
            part = rows[start : start + SCORE_BATCH]
            feed = [torch.from_numpy(array).to(self._device) for array in padded(part)]
            with torch.no_grad():
                scores = self._network.encoder.span_scores(self._network.encoder(*feed))
            if scores is None:
                raise LacunaError("this model finds no key spans; take a transformer for them.")
            arrays = scores.float().cpu().numpy()
            spans += [scored[: len(row.ids)] for scored, row in zip(arrays, part, strict=True)]
        return spans

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice of every question."""
        if not questions:
            return []
        data = GapDataset.of([GapExample("", rows, 0) for rows in questions]).to(self._device)
        numbers = [
            list(range(start, min(start + SCORE_BATCH, len(data))))
            for start in range(0, len(data), SCORE_BATCH)
        ]
        choices: list[ChoiceScores] = []
        for batch, _ in batches(self._network, data, numbers):
            with torch.no_grad():
                fact, relation, relations, stated = self._network(batch)[0]
            choice_of, places = batch.choice_of.cpu().numpy(), batch.order.numpy()
            lines = stated.float().cpu().numpy()
            for choice in range(len(fact)):
                own = np.flatnonzero(choice_of == choice)
                own = own[np.argsort(places[own])]
                choices.append(
                    ChoiceScores(
                        float(fact[choice]),
                        float(relation[choice]),
                        relations[choice].float().cpu().numpy(),
                        lines[own],
                    )
                )
        each = iter(choices)
        return [[next(each) for _ in rows.choices] for rows in questions]


def load_gap_backend(
    folder: ModelFolder, tokenizer: Tokenizer, threads: int | None
) -> TorchGapBackend:
    """A trained network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    if folder.kind != BILSTM:
        return TorchGapBackend(load_gap(folder), RowMaker(tokenizer))
    # splitlines would also split at some of GloVe's words.
    known = (folder.path / WORDS).read_text("utf-8").split("\n")[:-1]
    return TorchGapBackend(load_gap(folder), WordRows(Vocabulary(known)))
