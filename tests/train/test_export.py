"""The exported file says what the network says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
transformers = pytest.importorskip("transformers")
onnxruntime = pytest.importorskip("onnxruntime")

from lacuna.errors import LacunaError
from lacuna.files.checksums import read_checksums
from lacuna.models.model_folder import FORMATS, ModelSystem, find_model
from lacuna.models.onnx import open_session
from lacuna.models.reader.reader import INPUT_NAMES, OUTPUT_NAMES
from lacuna_lab.train.export import export, export_run, restored
from lacuna_lab.train.network import (
    Network,
    build,
    encoder_numbers,
    load_network,
    quicken,
    save_network,
)

Feed = dict[str, NDArray[np.int64]]
VOCABULARY = 200
"""Pieces that random inputs are made of."""


def stirred(network: Network) -> Network:
    """Weights that make every part count; the marks begin as zeros."""
    torch.manual_seed(2)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    network.eval()
    return network


def bert(encoder: Path) -> Network:
    vocabulary = transformers.AutoTokenizer.from_pretrained(str(encoder)).get_vocab()
    return stirred(build(encoder, vocabulary))


def mpnet(encoder: Path) -> Network:
    pieces = len(transformers.AutoTokenizer.from_pretrained(str(encoder)).get_vocab())
    config = transformers.MPNetConfig(
        vocab_size=pieces,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    made = transformers.MPNetModel(config, add_pooling_layer=False)
    quicken(made)
    return stirred(Network(made, torch.arange(pieces)))


def feed(rows: int, tokens: int) -> Feed:
    """Random inputs, each of another length, with marks."""
    random = np.random.default_rng(3)
    sizes = np.linspace(tokens // 2, tokens, rows).astype(int)
    mask = (np.arange(tokens) < sizes[:, None]).astype(np.int64)
    ids, marks = random.integers(0, VOCABULARY, mask.shape), random.integers(0, 4, mask.shape)
    return {"ids": ids * mask, "marks": marks * mask, "mask": mask}


def in_torch(network: Network, given: Feed) -> tuple[Any, Any]:
    with torch.no_grad():
        per_token, per_sequence = network(**{k: torch.from_numpy(v) for k, v in given.items()})
    return per_token.numpy()[given["mask"] == 1], per_sequence.numpy()


def in_onnx(folder: Path, given: Feed) -> tuple[Any, Any]:
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    assert [one.name for one in session.get_inputs()] == list(INPUT_NAMES)
    per_token, per_sequence = session.run(list(OUTPUT_NAMES), given)
    return per_token[given["mask"] == 1], per_sequence


@pytest.mark.parametrize("make", [bert, mpnet])
def test_the_exported_network_equals_torch(
    make: Any, encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    network = make(encoder)
    given = [feed(1, 5), feed(3, 40)]
    wanted = [in_torch(network, one) for one in given]
    export(network, tokenizer, tmp_path / "whole", {"name": "toy"}, int8=False)
    export(network, tokenizer, tmp_path / "small", {"name": "toy"}, int8=True)
    for one, theirs in zip(given, wanted, strict=True):
        for ours, expected in zip(in_onnx(tmp_path / "whole", one), theirs, strict=True):
            assert np.abs(ours - expected).max() < 1e-4
        for ours, expected in zip(in_onnx(tmp_path / "small", one), theirs, strict=True):
            assert np.corrcoef(ours.ravel(), expected.ravel())[0, 1] > 0.98
        after = in_torch(network, one)  # the network itself is as it was
        assert all((a == b).all() for a, b in zip(after, theirs, strict=True))
    config = find_model(tmp_path / "small").config
    assert config == {"name": "toy", "precision": "int8", "format": FORMATS[ModelSystem.READER]}


@pytest.mark.parametrize("int8", [False, True])
def test_an_exported_network_is_restored(
    int8: bool, encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    network, given = bert(encoder), feed(3, 40)
    export(network, tokenizer, tmp_path, {}, int8=int8)
    back = restored(tmp_path).eval()
    for ours, expected in zip(in_torch(back, given), in_torch(network, given), strict=True):
        if int8:
            assert np.corrcoef(ours.ravel(), expected.ravel())[0, 1] > 0.98
        else:
            assert np.abs(ours - expected).max() < 1e-4


def test_a_network_over_another_encoder_is_not_restored(
    encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    export(mpnet(encoder), tokenizer, tmp_path, {}, int8=False)
    with pytest.raises(LacunaError, match="Only a reader over a BERT encoder"):
        restored(tmp_path)


def test_only_the_encoder_and_the_hidden_layers_are_rounded(
    encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    export(bert(encoder), tokenizer, tmp_path, {}, int8=True)
    nodes = onnx.load(str(tmp_path / "model.onnx")).graph.node
    rounded = [node.name for node in nodes if node.op_type == "MatMulInteger"]
    in_blocks = [node.name for node in nodes if node.op_type == "MatMulNBits"]
    assert len(rounded) == 2 * 5 + 2
    assert len(in_blocks) == 2
    assert all("/output/dense" in name for name in in_blocks)
    assert not any("_scores" in name for name in rounded + in_blocks)


def test_sums_of_8_bit_products_are_exact_on_every_processor(tmp_path: Path) -> None:
    helper, kinds = onnx.helper, onnx.TensorProto
    values = np.full((1, 64), 255, np.uint8)  # two products already pass what 16 bits hold
    weights = onnx.numpy_helper.from_array(np.full((64, 16), 127, np.int8), "weights")
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["values", "weights"], ["sums"])],
        "product",
        [helper.make_tensor_value_info("values", kinds.UINT8, [1, 64])],
        [helper.make_tensor_value_info("sums", kinds.INT32, [1, 16])],
        [weights],
    )
    opset = helper.make_opsetid("", 17)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    onnx.save(model, str(tmp_path / "product.onnx"))
    session = open_session(tmp_path / "product.onnx", 1)
    (sums,) = session.run(["sums"], {"values": values})
    assert (sums == 64 * 255 * 127).all()


def test_quick_attention_equals_mpnets_own() -> None:
    config = transformers.MPNetConfig(
        vocab_size=50,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
    )
    torch.manual_seed(0)
    encoder = transformers.MPNetModel(config, add_pooling_layer=False).eval()
    embedded = torch.randn(3, 20, 32)
    mask = (torch.arange(20) < torch.tensor([[5], [13], [20]])).long()
    with torch.no_grad():
        wanted = encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        quicken(encoder)
        found = encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        again = encoder(inputs_embeds=embedded[:1], attention_mask=mask[:1]).last_hidden_state
    assert torch.allclose(found[mask == 1], wanted[mask == 1], atol=1e-5)
    assert torch.allclose(again[0, :5], wanted[0, :5], atol=1e-5)


def test_an_encoder_may_number_the_pieces_otherwise() -> None:
    ours = {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "ship": 3}
    theirs = {"<s>": 0, "<pad>": 1, "</s>": 2, "ship": 7}
    assert encoder_numbers(ours, theirs).tolist() == [1, 0, 2, 7]
    with pytest.raises(LacunaError, match=r"lacks 1 .*'ship'"):
        encoder_numbers(ours, {"<s>": 0, "<pad>": 1, "</s>": 2})


def test_a_saved_network_is_the_same(encoder: Path, tokenizer: Path, tmp_path: Path) -> None:
    network = bert(encoder)
    save_network(network, tokenizer, tmp_path, {})
    given = feed(2, 9)
    for one, two in zip(
        in_torch(network, given), in_torch(load_network(tmp_path).eval(), given), strict=True
    ):
        assert (one == two).all()


def test_what_is_saved_and_exported_has_checksums(
    encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    network = bert(encoder)
    save_network(network, tokenizer, tmp_path / "run", {})
    for _ in range(2):  # over an earlier export too
        export(network, tokenizer, tmp_path / "small", {}, int8=False)
    for name, files in (
        ("run", {"network.safetensors", "encoder/config.json"}),
        ("small", {"model.onnx"}),
    ):
        checksums = read_checksums(tmp_path / name)
        assert checksums is not None
        assert checksums.files.keys() == {"config.json", "tokenizer.json", *files}
        assert not checksums.damaged(tmp_path / name)


def test_weights_for_found_passages_are_put_beside_those_of_a_reader(
    encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    network, run, reader = bert(encoder), tmp_path / "run", tmp_path / "reader"
    recipe = {"name": "toy-found", "for_found": True}
    save_network(network, tokenizer, run, {"recipe": recipe, "steps": 3})
    with pytest.raises(LacunaError, match="Export that one there first"):
        export_run(run, reader)
    export(mpnet(encoder), tokenizer, reader, {"name": "toy"}, int8=True)
    first = (reader / "model.onnx").read_bytes()
    assert export_run(run, reader) == reader / "found.onnx"
    assert (reader / "model.onnx").read_bytes() == first
    model = find_model(reader)
    assert model.config["found"] == {"recipe": recipe, "steps": 3, "precision": "int8"}
    assert model.config["name"] == "toy"
    checksums = read_checksums(reader)
    assert checksums is not None
    assert "found.onnx" in checksums.files
    assert sorted(path.name for path in reader.iterdir()) == [
        "checksums.json", "config.json", "found.onnx", "model.onnx", "tokenizer.json"
    ]  # fmt: skip
