"""A network that learns to judge answers, and one that was saved before it could."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors.torch import load_file, save_file

from lacuna.files.checksums import remove_checksums
from lacuna.models.model_folder import SHIPPED, WEIGHTS
from lacuna.models.reader.decode import AnswerVerdict, Columns
from lacuna.models.reader.reader import ModelReader
from lacuna.types import Answer, Document, Evidence, Question
from lacuna_lab.train.batches import collate
from lacuna_lab.train.export import export_run, restored
from lacuna_lab.train.instances import Instance, Instances
from lacuna_lab.train.network import load_network, losses

PASSAGE = Document("Stony Tarn", "The cannery packed herring in 1888.")
HERRING = Answer.span("herring", Evidence("Stony Tarn", 19, 26))


def instance(verdict: int) -> Instance:
    ids = np.arange(1, 9, dtype=np.int32)
    return Instance(0, ids, np.zeros(8, np.int32), [(2, 7)], verdict=verdict)


def test_only_answers_that_are_judged_count() -> None:
    made = Instances.of(
        [instance(AnswerVerdict.WRONG), instance(-1), instance(AnswerVerdict.RIGHT)]
    )
    per_sequence = torch.zeros(3, Columns.PER_SEQUENCE)
    per_sequence[0, Columns.VERDICT] = torch.tensor([0.0, 9.0, 0.0])
    parts = losses(torch.zeros(3, 8, Columns.PER_TOKEN), per_sequence, collate(made, np.arange(3)))
    loss, count = parts["verdict"].tolist()
    assert count == 2
    assert loss == pytest.approx(math.log(3), abs=1e-3)
    assert parts["answer"][1] == 0


def test_labels_of_an_older_file_are_unknown(tmp_path: Path) -> None:
    path = tmp_path / "data.npz"
    made = Instances.of([instance(AnswerVerdict.RIGHT)])
    arrays: dict[str, Any] = made.arrays()
    arrays["scalars"] = arrays["scalars"][:, :-1]
    np.savez(path, **arrays)
    loaded = Instances.load(path)
    assert loaded.scalar("verdict").tolist() == [-1]
    assert loaded.scalar("group").tolist() == made.scalar("group").tolist()


def test_training_goes_on_from_an_exported_model_that_never_learned_it() -> None:
    folder = SHIPPED / "small"
    if not (folder / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    network = restored(folder)
    assert network.sequence_scores.weight.shape[0] == Columns.PER_SEQUENCE
    assert network.sequence_scores.weight[: Columns.WITHOUT_VERDICT].any(1).all()


def test_a_run_goes_on_from_an_older_network_and_learns_to_judge(lacuna: Any, toy: Any) -> None:
    before = toy.folder / "before"
    ran = lacuna(*toy.arguments(toy.recipe(sources={"squad1": 1}, epochs=1), before))
    assert ran.code == 0, ran.err
    weights = load_file(before / "network.safetensors")
    for name in ("sequence_scores.weight", "sequence_scores.bias"):
        weights[name] = weights[name][: Columns.WITHOUT_VERDICT].clone()
    remove_checksums(before)
    save_file(weights, before / "network.safetensors")
    old = load_network(before)
    assert not old.sequence_scores.weight[Columns.VERDICT].any()
    assert torch.equal(
        old.sequence_scores.weight[: Columns.WITHOUT_VERDICT], weights["sequence_scores.weight"]
    )

    assert not ModelReader.load(before).looks_twice
    export_run(before, toy.folder / "once", int8=False)
    once = ModelReader.load(toy.folder / "once")
    assert not once.looks_twice
    question = Question("q", "What did the cannery pack?", PASSAGE)
    assert once.read([question])[0].answer == ModelReader.load(before).read([question])[0].answer

    recipe = toy.recipe(
        encoder=str(before), sources={"squad1": 1, "second_look": 1}, learning_rate=1e-2
    )
    out = toy.folder / "after"
    ran = lacuna(*toy.arguments(recipe, out))
    assert ran.code == 0, ran.err
    with (out / "curve.csv").open(newline="") as file:
        assert float(list(csv.DictReader(file))[-1]["verdict"]) > 0

    exported = toy.folder / "exported"
    export_run(out, exported, int8=False)
    asked = [("What did the cannery pack?", [(HERRING, PASSAGE), (Answer.yes(), PASSAGE)])]
    in_torch, in_onnx = (ModelReader.load(one).look_again(asked) for one in (out, exported))
    assert ModelReader.load(exported).looks_twice
    for one, other in zip(in_torch[0], in_onnx[0], strict=True):
        assert one == pytest.approx(other, abs=1e-4)
        assert sum(one) == pytest.approx(1)
