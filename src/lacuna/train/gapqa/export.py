"""From a trained GapQA network to the one file that is shipped."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.models.gapqa.backend import INPUT_NAMES, OUTPUT_NAMES
from lacuna.models.model_folder import TOKENIZER, WEIGHTS, ModelFolder, write_config
from lacuna.train.export import Traced, check_target, precision, ready, write_weights
from lacuna.train.gapqa.encoders import TransformerRows
from lacuna.train.gapqa.network import GapNetwork, Rows
from lacuna.train.gapqa.torch_model import load_gap

AXES = {
    "ids": {0: "rows", 1: "tokens"},
    "parts": {0: "rows", 1: "tokens"},
    "spans": {0: "tokens"},
    "lines": {0: "lines"},
}


class OneChoice(nn.Module):
    """One choice of a question: its rows in, as ``OnnxGapBackend`` has them, all scores out."""

    def __init__(self, network: GapNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, parts: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Inputs are [rows, tokens]: the question's row, the choice's, and those of knowledge."""
        network = self.network
        states = network.encoder(ids, parts)
        question, choice, lines = (
            (states[some], Rows(ids[some], parts[some]))
            for some in (slice(0, 1), slice(1, 2), slice(2, None))
        )
        stated = network.heads.relation(network.line(*lines))  # [lines, relation]
        scores = network.heads.score(
            network.fact(*choice),
            network.composable(*question),
            stated.mean(0, keepdim=True),
            stated,
        )
        spans = network.encoder.span_scores(question[0])
        assert spans is not None  # only transformers are exported
        return (
            spans[0],
            torch.cat([scores.fact, scores.relation]),
            scores.relations[0],
            scores.lines,
        )


def export_gap(model: ModelFolder, folder: Path, *, int8: bool) -> Path:
    """Export a trained model; returns the file with the weights."""
    check_target(folder, model.path)
    network = load_gap(model)
    if not isinstance(network.encoder, TransformerRows) or not network.shown.knowledge:
        raise LacunaError(
            f"the model in {model.path} is one to compare with: a BiLSTM, or one that reads no "
            "knowledge. Such models are read as they were trained; only whole ones are exported."
        )
    encoder = network.encoder
    encoder.reader = ready(encoder.reader, model.tokenizer, int8=int8)
    ids = torch.ones((4, 16), dtype=torch.long)
    parts = torch.arange(16).div(3, rounding_mode="floor").expand(4, 16) + 1
    traced = Traced(OneChoice(network).eval(), (ids, parts), INPUT_NAMES, OUTPUT_NAMES, AXES)
    write_weights(traced, encoder.reader.encoder, folder, int8=int8)
    shutil.copyfile(model.tokenizer, folder / TOKENIZER)
    write_config(folder, {**model.config, "precision": precision(int8)})
    return folder / WEIGHTS
