"""From a trained network to the one file that is shipped."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.read.backend import INPUT_NAMES, OUTPUT_NAMES
from lacuna.read.model_files import WEIGHTS, find_model
from lacuna.train.model import Network
from lacuna.train.saved import describe, load_network

OPSET = 17


class SmallEmbedding(nn.Module):
    """Word vectors as int8 with one scale a word: a quarter of the size, and far more exact than
    one scale for the whole table."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("scale", scale)
        self.register_buffer("small", (weight / scale).round().to(torch.int8))

    def forward(self, ids: Tensor) -> Tensor:
        return self.small[ids].to(torch.float32) * self.scale[ids]


def export_run(run: Path, folder: Path, *, int8: bool) -> Path:
    """Export what training left in a folder; returns the file with the weights."""
    if folder.exists() and not folder.is_dir():
        raise LacunaError(f"{folder} is a file. Give a folder for the exported model.")
    if folder.resolve() == run.resolve():
        raise LacunaError(
            f"{folder} is the trained model's own folder. Give another one for the exported model."
        )
    network = load_network(run)
    model = find_model(run)
    export(network, model.tokenizer, folder, model.config, int8=int8)
    return folder / WEIGHTS


def export(
    network: Network, tokenizer: Path, folder: Path, about: dict[str, Any], *, int8: bool
) -> None:
    """Write weights, tokenizer and config; int8 per channel unless full precision is asked for."""
    network = network.cpu().float().eval()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        whole = Path(scratch) / "whole.onnx"
        _to_onnx(network, whole, int8=int8)
        if int8:
            ready = Path(scratch) / "int8.onnx"
            quantize_dynamic(
                whole,
                ready,
                per_channel=True,
                weight_type=QuantType.QInt8,
                op_types_to_quantize=["MatMul"],
                nodes_to_exclude=_exact_nodes(whole),
            )
            whole = ready
        whole.replace(folder / WEIGHTS)
    describe(tokenizer, folder, {**about, "precision": "int8" if int8 else "fp32"})


def _to_onnx(network: Network, path: Path, *, int8: bool) -> None:
    embedding = network.encoder.get_input_embeddings()
    attention = getattr(network.encoder.config, "_attn_implementation", None)
    try:
        if int8:
            network.encoder.set_input_embeddings(SmallEmbedding(embedding.weight.data))
        if attention is not None:
            network.encoder.config._attn_implementation = "eager"
        example = torch.ones((2, 16), dtype=torch.long)
        torch.onnx.export(
            network,
            (example, torch.zeros_like(example), example),
            str(path),
            input_names=list(INPUT_NAMES),
            output_names=list(OUTPUT_NAMES),
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in INPUT_NAMES}
            | {"per_token": {0: "batch", 1: "tokens"}, "per_sequence": {0: "batch"}},
            opset_version=OPSET,
            dynamo=False,
        )
    finally:
        network.encoder.set_input_embeddings(embedding)
        if attention is not None:
            network.encoder.config._attn_implementation = attention


def _exact_nodes(path: Path) -> list[str]:
    """The scoring layers are tiny and decide everything: they keep full precision."""
    model = onnx.load(str(path), load_external_data=False)
    names = [node.name for node in model.graph.node if "_scores" in node.name]
    # A Gemm is split before it is rounded, and what comes of it must be named as well.
    return names + [f"{name}_MatMul" for name in names]
