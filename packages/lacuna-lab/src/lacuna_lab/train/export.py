"""From a trained network to the one file that is shipped, and back."""

from __future__ import annotations

import copy
import re
import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from torch import Tensor, nn
from transformers import AutoModel, BertConfig

from lacuna.answers import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.models.model_folder import WEIGHTS, ModelFolder, find_model, write_config
from lacuna.models.reader.decode import Columns
from lacuna.models.reader.encode import ModelInput, QuestionEncoder, Tokenizer
from lacuna.models.reader.reader import INPUT_NAMES, OUTPUT_NAMES, padded
from lacuna_lab.train.network import Network, describe, load_network, with_all_columns

SHARE = 0.8
"""The share of the unevenness that the weights take over, whose channels have scales of their
own."""
LEAST = 1e-3
MODES = (AnswerMode.ASK, AnswerMode.HOP, AnswerMode.CALCULATE, AnswerMode.ABSTAIN)
"""The modes that read a context and documents; sample inputs have each in turn."""


class Smoothed(nn.Module):
    """A layer whose input channels are evened out, and whose output stays the same."""

    def __init__(self, layer: nn.Linear, factors: Tensor) -> None:
        super().__init__()
        self.layer = layer
        self.register_buffer("inverse", 1 / factors)
        with torch.no_grad():
            layer.weight.mul_(factors)

    def forward(self, states: Tensor) -> Tensor:
        return self.layer(states * self.inverse)


def smoothed(network: Network, inputs: Sequence[ModelInput]) -> Network:
    """A copy with evened-out layers; ``inputs`` show how uneven their channels are."""
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
    """The largest value in each input channel of each linear layer of the encoder."""
    peaks: dict[str, Tensor] = {}

    def watch(name: str) -> torch.utils.hooks.RemovableHandle:
        def record(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            largest = given[0].detach().abs().flatten(0, -2).amax(0)
            peaks[name] = torch.maximum(peaks.get(name, largest), largest)

        return layers[name].register_forward_pre_hook(record)

    modules = network.encoder.named_modules()
    layers = {name: module for name, module in modules if isinstance(module, nn.Linear)}
    hooks = [watch(name) for name in layers]
    with torch.no_grad():
        for model_input in inputs:
            batch = padded([model_input])
            network(*(torch.from_numpy(batch[name]) for name in INPUT_NAMES))
    for hook in hooks:
        hook.remove()
    return peaks


def sample_inputs(tokenizer: Tokenizer, count: int = 96) -> list[ModelInput]:
    """Inputs that need no dataset: questions about the demo with the texts that answer them."""
    inputs = []
    arrange = get_dataset("iirc").setting("oracle-context").arrange
    demo = files("lacuna") / "assets" / "demo" / "questions.json"
    with as_file(demo) as path, get_dataset("iirc").open(path) as reader:
        for number, question in enumerate(islice(reader.questions(), count)):
            asked = arrange(question)
            whole = QuestionEncoder(tokenizer, asked, MODES[number % len(MODES)]).whole()
            if whole is not None:
                inputs.append(whole)
    return inputs


OPSET = 17
EXACT = re.compile(r"_scores|^/(?:fact|relation|relation_names|composed)(?:_[0-9]+)?/")
"""The names of the reader's scoring layers, and of GapQA's."""
BLOCK = 128
"""Inputs of a narrowing layer that share a scale."""


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


def export_run(run: Path, folder: Path, *, int8: bool = True) -> Path:
    """Export a trained model; returns the file with the weights."""
    check_target(folder, run)
    network = load_network(run)
    model = find_model(run)
    if model.config["recipe"].get("for_found"):
        return _export_beside(network, model, folder, int8=int8)
    export(network, model.tokenizer, folder, model.config, int8=int8)
    return folder / WEIGHTS


def _export_beside(network: Network, trained: ModelFolder, folder: Path, *, int8: bool) -> Path:
    """Put the weights for found passages beside those of the reader that an export wrote."""
    if not is_exported(folder):
        raise LacunaError(
            f"{trained.path} was trained for passages that a search found, beside a reader for the "
            f"rest, and {folder} holds no exported reader. Export that one there first."
        )
    reader = find_model(folder)
    if reader.tokenizer.read_bytes() != trained.tokenizer.read_bytes():
        raise LacunaError(
            f"{trained.path} and the reader in {folder} cut texts into other word pieces. Train "
            "both with the same tokenizer."
        )
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        export(network, trained.tokenizer, Path(scratch), trained.config, int8=int8)
        about = find_model(scratch).config
        remove_checksums(folder)
        (Path(scratch) / WEIGHTS).replace(reader.found_weights)
    kept = {name: about[name] for name in FOUND_ABOUT if name in about}
    write_config(folder, {**reader.config, FOUND_KEY: kept})
    return reader.found_weights


FOUND_KEY = "found"
"""Where a reader's configuration tells of its weights for found passages."""
FOUND_ABOUT = ("version", "recipe", "steps", "precision")


def check_target(folder: Path, trained: Path) -> None:
    """Refuse to export a model to a file, or into its own folder."""
    if folder.exists() and not folder.is_dir():
        raise LacunaError(f"{folder} is a file. Give a folder for the exported model.")
    if folder.resolve() == trained.resolve():
        raise LacunaError(
            f"{folder} is the trained model's own folder. Give another one for the exported model."
        )


def export(
    network: Network, tokenizer: Path, folder: Path, about: dict[str, Any], *, int8: bool
) -> None:
    """Write weights, tokenizer and config; int8 per channel unless full precision is asked for."""
    network = _as_far_as_learned(ready(network, tokenizer, int8=int8))
    example = torch.ones((2, 16), dtype=torch.long)
    axes = {name: {0: "batch", 1: "tokens"} for name in INPUT_NAMES}
    axes |= {"per_token": {0: "batch", 1: "tokens"}, "per_sequence": {0: "batch"}}
    traced = Traced(
        network, (example, torch.zeros_like(example), example), INPUT_NAMES, OUTPUT_NAMES, axes
    )
    write_weights(traced, network.encoder, folder, int8=int8)
    describe(tokenizer, folder, {**about, "precision": precision(int8)})


def _as_far_as_learned(network: Network) -> Network:
    """Without the columns of the verdict, if it was never learned: the file says what it can do."""
    if not network.has_verdict:
        network = copy.deepcopy(network)
        scores = network.sequence_scores
        kept = nn.Linear(scores.in_features, Columns.WITHOUT_VERDICT)
        with torch.no_grad():
            kept.weight.copy_(scores.weight[: Columns.WITHOUT_VERDICT])
            kept.bias.copy_(scores.bias[: Columns.WITHOUT_VERDICT])
        network.sequence_scores = kept
    return network


def precision(int8: bool) -> str:
    """The name of a precision in a config."""
    return "int8" if int8 else "fp32"


def ready(network: Network, tokenizer: Path, *, int8: bool) -> Network:
    """The reader's network on the CPU, its channels evened out if they are to be rounded."""
    network = network.cpu().float().eval()
    return smoothed(network, sample_inputs(Tokenizer(tokenizer))) if int8 else network


class Traced(NamedTuple):
    """A module to export, example inputs, and the names and sizes of its inputs and outputs."""

    module: nn.Module
    example: tuple[Tensor, ...]
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    axes: dict[str, dict[int, str]]


def write_weights(traced: Traced, encoder: Any, folder: Path, *, int8: bool) -> None:
    """Write a module over an encoder as one ONNX file."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        whole = Path(scratch) / "whole.onnx"
        _to_onnx(traced, encoder, whole, int8=int8)
        if int8:
            whole = _rounded(whole, Path(scratch) / "int8.onnx")
        remove_checksums(folder)
        whole.replace(folder / WEIGHTS)


def _to_onnx(traced: Traced, encoder: Any, path: Path, *, int8: bool) -> None:
    embedding = encoder.get_input_embeddings()
    attention = getattr(encoder.config, "_attn_implementation", None)
    try:
        if int8:
            encoder.set_input_embeddings(SmallEmbedding(embedding.weight.data))
        if attention is not None:
            encoder.config._attn_implementation = "eager"
        torch.onnx.export(
            traced.module,
            traced.example,
            str(path),
            input_names=list(traced.takes),
            output_names=list(traced.gives),
            dynamic_axes=traced.axes,
            opset_version=OPSET,
            dynamo=False,
        )
    finally:
        encoder.set_input_embeddings(embedding)
        if attention is not None:
            encoder.config._attn_implementation = attention


def _rounded(whole: Path, ready: Path) -> Path:
    """8 bits for every weight: per channel, and in blocks where the states cannot be evened out."""
    model = onnx.load(str(whole))
    exact = _exact_nodes(model)
    in_blocks = [name for name in _narrowing_nodes(model) if name not in exact]
    quantize_dynamic(
        whole,
        ready,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        nodes_to_exclude=exact + in_blocks,
    )
    rest = onnx.load(str(ready))
    others = [node.name for node in rest.graph.node if node.name not in in_blocks]
    blocks = MatMulNBitsQuantizer(
        rest,
        bits=8,
        block_size=BLOCK,
        is_symmetric=True,
        accuracy_level=4,  # calculate in 8 bits as well
        nodes_to_exclude=others,
    )
    blocks.process()
    onnx.save(blocks.model.model, str(ready))
    return ready


def _narrowing_nodes(model: Any) -> list[str]:
    """The layers with fewer outputs than inputs: after an activation, few values are large."""
    shapes = {weight.name: tuple(weight.dims) for weight in model.graph.initializer}
    weights = {
        node.name: shapes[node.input[1]]
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in shapes
    }
    return [name for name, shape in weights.items() if shape[0] > shape[1]]


def _exact_nodes(model: Any) -> list[str]:
    """The scoring layers are tiny and decide everything: they keep full precision."""
    names = [node.name for node in model.graph.node if EXACT.search(node.name)]
    # A Gemm is split before it is rounded, and what comes of it must be named as well.
    return names + [f"{name}_MatMul" for name in names]


PRODUCTS = ("MatMul", "MatMulInteger", "MatMulNBits")
LAYER_OF = re.compile(r"(?:/layer)?/(?:Gemm_)?MatMul(?:_quant|_Q8)?$")
"""The end of a product's name, behind the name of its layer."""
SCALING = "/layer.0/attention/self/Mul"


def is_exported(folder: Path) -> bool:
    """Tell if a folder holds an exported model without the network it came from."""
    return (folder / WEIGHTS).is_file()


def restored(folder: Path) -> Network:
    """The network of an exported reader over a BERT encoder, for training to go on from.

    Weights stay as they were rounded; everything else is as it was trained.
    """
    model = onnx.load(str(folder / WEIGHTS))
    arrays = {part.name: numpy_helper.to_array(part) for part in model.graph.initializer}
    weights = {name.replace(".layer.bias", ".bias"): array for name, array in arrays.items()}
    for node in model.graph.node:
        if node.op_type in PRODUCTS and node.input[1] in arrays:
            layer = LAYER_OF.sub("", node.name).strip("/").replace("/", ".")
            weight = _unrounded(node, arrays)
            weights[f"{layer}.weight"] = weight.T * arrays.get(f"{layer}.inverse", 1)
    words = "encoder.embeddings.word_embeddings"
    if f"{words}.small" in arrays:
        weights[f"{words}.weight"] = arrays[f"{words}.small"] * arrays[f"{words}.scale"]
    try:
        encoder = _empty_bert(weights, _head_size(model))
        network = Network(encoder, torch.from_numpy(weights["numbers"].copy()))
        kept = {name: torch.from_numpy(weights[name].copy()) for name in network.state_dict()}
        network.load_state_dict(with_all_columns(kept))
    except (KeyError, RuntimeError, StopIteration) as problem:
        raise LacunaError(
            f"no network can be restored from {folder / WEIGHTS} ({problem}). Only a reader over "
            "a BERT encoder, exported by this version, can be; else give the folder of its run."
        ) from problem
    return network


def _unrounded(node: Any, arrays: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """A layer's weights, [inputs, outputs], from whichever form they are kept in."""
    name = node.input[1]
    if name.endswith("_Q8"):
        inputs = next(one.i for one in node.attribute if one.name == "K")
        blocks = arrays[name].astype(np.float32) - 128
        scaled = blocks * arrays[f"{name.removesuffix('_Q8')}_scales"][..., None]
        weight = scaled.reshape(len(scaled), -1).T[:inputs]  # the last block may be padded
    elif name.endswith("_quantized"):
        weight = arrays[name] * arrays[f"{name.removesuffix('_quantized')}_scale"]
    else:
        weight = arrays[name]
    return np.asarray(weight)


def _head_size(model: Any) -> int:
    """Units of an attention head, by the factor that its scores are scaled with."""
    constants = {
        node.output[0]: numpy_helper.to_array(node.attribute[0].t)
        for node in model.graph.node
        if node.op_type == "Constant"
    }
    scaling = next(node for node in model.graph.node if node.name.endswith(SCALING))
    (factor,) = (constants[name] for name in scaling.input if name in constants)
    return round(1 / float(factor) ** 2)


def _empty_bert(weights: dict[str, NDArray[Any]], head_size: int) -> Any:
    """An encoder of the shape that the weights have."""
    places, size = weights["encoder.embeddings.position_embeddings.weight"].shape
    layers = [name for name in weights if name.endswith(".intermediate.dense.weight")]
    config = BertConfig(
        vocab_size=len(weights["encoder.embeddings.word_embeddings.weight"]),
        hidden_size=size,
        num_hidden_layers=len(layers),
        num_attention_heads=size // head_size,
        intermediate_size=len(weights[layers[0]]),
        max_position_embeddings=places,
    )
    return AutoModel.from_config(config, add_pooling_layer=False)
