"""Whole runs through the command line, stopped, killed and gone on with."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from lacuna.models.model_folder import SHIPPED, TOKENIZER
from lacuna.models.reader.reader import ModelReader
from lacuna.types import AnswerKind, Document, Question
from lacuna_lab.train.export import export_run
from lacuna_lab.train.run import plan_run

NETWORK = "network.safetensors"
QUESTION = Question(
    "q", "What did the cannery pack?", Document("Stony Tarn", "The cannery packed herring in 1888.")
)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_from_data_to_an_answer(lacuna: Any, toy: Any) -> None:
    out = toy.folder / "run"
    ran = lacuna(*toy.arguments(toy.recipe(), out))
    assert ran.code == 0, ran.err
    assert "the model is in" in ran.err
    config = (out / "config.json").read_text("utf-8")
    encoder = (out / "encoder" / "config.json").read_text("utf-8")
    assert str(toy.folder.parent) not in config + encoder
    assert json.loads(config)["recipe"]["encoder"] == toy.encoder.name
    report = json.loads(next(out.glob("data-*.json")).read_text("utf-8"))
    assert set(report) == set(json.loads(config)["recipe"]["sources"])
    assert all(counts["inputs"] for counts in report.values())
    curve = rows(out / "curve.csv")
    assert int(curve[-1]["step"]) == json.loads(config)["steps"]
    assert all(float(row["loss"]) > 0 for row in curve)
    assert [int(row["step"]) for row in rows(out / "checks.csv")][:2] == [5, 10]

    ran = lacuna("export", out, toy.folder / "rounded")
    assert ran.code == 0, ran.err
    export_run(out, toy.folder / "whole", int8=False)
    for exported in (toy.folder / "rounded", toy.folder / "whole"):
        assert {path.name for path in exported.iterdir()} == {
            "model.onnx",
            "tokenizer.json",
            "config.json",
            "checksums.json",
        }
        (read,) = ModelReader.load(exported).read([QUESTION])
        assert read.answer is not None
        assert isinstance(read.answer.kind, AnswerKind)
        assert 0 <= (read.confidence or 0) <= 1
    (in_torch,) = ModelReader.load(out).read([QUESTION])
    assert in_torch.answer == read.answer


def test_a_dry_run_changes_nothing(lacuna: Any, toy: Any) -> None:
    recipe, out = toy.recipe(), toy.folder / "run"
    before = sorted(toy.folder.iterdir())
    ran = lacuna(*toy.arguments(recipe, out), "--dry-run")
    assert ran.code == 0, ran.err
    assert "would be made" in ran.out
    assert sorted(toy.folder.iterdir()) == before


@pytest.fixture
def whole(lacuna: Any, toy: Any) -> Path:
    """A run that was never stopped."""
    out: Path = toy.out("whole")
    ran = lacuna(*toy.arguments(toy.recipe(), out))
    assert ran.code == 0, ran.err
    return out


def test_a_run_that_was_stopped_equals_one_that_was_not(
    lacuna: Any, stopped: Any, toy: Any, whole: Path
) -> None:
    out, recipe = toy.out("stopped"), toy.recipe()
    for step in (1, 2, 3):
        ran = stopped(*toy.arguments(recipe, out))
        assert ran.code == 0, ran.err
        assert f"{step} of " in ran.err
        assert "to go on" in ran.err
        assert not (out / NETWORK).exists()
    ran = lacuna(*toy.arguments(recipe, out))
    assert ran.code == 0, ran.err
    assert (out / NETWORK).read_bytes() == (whole / NETWORK).read_bytes()
    assert (out / "checks.csv").read_text() == (whole / "checks.csv").read_text()

    again = lacuna(*toy.arguments(recipe, out))
    assert again.code == 0, again.err
    assert (out / NETWORK).read_bytes() == (whole / NETWORK).read_bytes()


def test_a_run_that_was_killed_equals_one_that_was_not(lacuna: Any, toy: Any) -> None:
    changes = {"epochs": 15, "keep_every": 7, "check_every": 50}
    whole, killed = toy.out("whole"), toy.out("killed")
    recipe = toy.recipe(**changes)
    command = [sys.executable, "-c", "from lacuna.cli import main; main()"]
    process = subprocess.Popen(
        [*command, *toy.arguments(recipe, killed)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    while not (killed / "checkpoint.pt").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, said.decode()
    assert not (killed / NETWORK).exists()

    for out in (killed, whole):
        ran = lacuna(*toy.arguments(recipe, out))
        assert ran.code == 0, ran.err
    assert (killed / NETWORK).read_bytes() == (whole / NETWORK).read_bytes()
    steps = [int(row["step"]) for row in rows(killed / "curve.csv")]
    assert steps == [int(row["step"]) for row in rows(whole / "curve.csv")]


def test_a_run_that_stopped_early_stays_where_it_was_best(lacuna: Any, toy: Any) -> None:
    # At this rate nothing gets better for long.
    recipe = toy.recipe(learning_rate=0.5, patience=2, check_every=1, epochs=20)
    out = toy.out("early")
    ran = lacuna(*toy.arguments(recipe, out))
    assert ran.code == 0, ran.err
    assert "stopped early" in ran.err
    losses = [float(row["loss"]) for row in rows(out / "checks.csv")]
    assert min(losses) == losses[-3]
    kept = (out / NETWORK).read_bytes()
    assert "stopped early" in lacuna(*toy.arguments(recipe, out)).err
    assert (out / NETWORK).read_bytes() == kept


def test_a_loss_that_is_no_number_ends_the_run(lacuna: Any, toy: Any) -> None:
    out = toy.out("diverged")
    ran = lacuna(*toy.arguments(toy.recipe(learning_rate=1e30), out))
    assert ran.code == 2
    assert "Lower 'learning_rate'" in ran.err
    assert not (out / NETWORK).exists()


def test_a_finished_run_is_gone_on_from(lacuna: Any, toy: Any, whole: Path) -> None:
    from safetensors.torch import load_file

    out = toy.out("further")
    # At this rate nothing changes, so that what comes out is what it began with.
    recipe = toy.recipe(epochs=1, learning_rate=1e-12, weight_decay=0.0)
    ran = lacuna(*toy.arguments(recipe, out), "--encoder", str(whole))
    assert ran.code == 0, ran.err
    before, after = load_file(whole / NETWORK), load_file(out / NETWORK)
    assert all((before[name] - after[name]).abs().max() < 1e-6 for name in before)


def test_an_exported_model_is_gone_on_from(lacuna: Any, toy: Any, whole: Path) -> None:
    from safetensors.torch import load_file

    exported, out = toy.folder / "exported", toy.out("on-from-exported")
    assert lacuna("export", whole, exported).code == 0
    recipe = toy.recipe(epochs=1, learning_rate=1e-12, weight_decay=0.0)
    ran = lacuna(*toy.arguments(recipe, out), "--encoder", str(exported))
    assert ran.code == 0, ran.err
    before, after = load_file(whole / NETWORK), load_file(out / NETWORK)
    assert before.keys() == after.keys()
    strongest = max(float(before[name].abs().max()) for name in before if name != "numbers")
    assert all((before[name] - after[name]).abs().max() < 0.02 * strongest for name in before)


def test_a_network_is_loaded_in_full_precision(whole: Path, tmp_path: Path) -> None:
    from lacuna_lab.train.network import load_network

    folder = tmp_path / "half"
    shutil.copytree(whole, folder)
    config = folder / "encoder" / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "dtype": "float16"}))
    assert {str(part.dtype) for part in load_network(folder).parameters()} == {"torch.float32"}


def test_half_the_bits_learn_nearly_the_same(
    lacuna: Any, stopped: Any, toy: Any, whole: Path
) -> None:
    from safetensors.torch import load_file

    recipe, out, again = toy.recipe(precision="bf16"), toy.out("bf16"), toy.out("again")
    assert lacuna(*toy.arguments(recipe, out)).code == 0
    assert stopped(*toy.arguments(recipe, again)).code == 0
    assert lacuna(*toy.arguments(recipe, again)).code == 0
    assert (out / NETWORK).read_bytes() == (again / NETWORK).read_bytes()
    losses = [float(rows(run / "checks.csv")[-1]["loss"]) for run in (out, whole)]
    assert losses[0] == pytest.approx(losses[1], rel=0.02)
    weights = load_file(out / NETWORK)
    assert {str(part.dtype) for part in weights.values()} == {"torch.float32", "torch.int64"}
    # Changes too small for bfloat16 are gathered all the same.
    dense = weights["encoder.encoder.layer.0.intermediate.dense.weight"]
    assert not dense.equal(dense.bfloat16().float())


def test_the_checkpoint_of_another_run_is_refused(lacuna: Any, stopped: Any, toy: Any) -> None:
    out = toy.out("run")
    assert stopped(*toy.arguments(toy.recipe(), out)).code == 0
    ran = lacuna(*toy.arguments(toy.recipe(learning_rate=0.5), out))
    assert ran.code == 2
    assert "learning_rate was 0.001 there and is 0.5 here" in ran.err
    assert "--out" in ran.err
    (out / "checkpoint.pt").write_bytes((out / "checkpoint.pt").read_bytes()[:1000])
    ran = lacuna(*toy.arguments(toy.recipe(), out))
    assert ran.code == 2
    assert "does not belong to this run" in ran.err


def test_a_student_of_a_teacher(lacuna: Any, stopped: Any, toy: Any, whole: Path) -> None:
    recipe, out = toy.recipe(epochs=1), toy.out("student")
    command = [*toy.arguments(recipe, out), "--teacher", str(whole)]
    ran = lacuna(*command)
    assert ran.code == 0, ran.err
    assert (out / "teacher" / "scores.json").exists()

    again = toy.out("again")
    command = [*toy.arguments(recipe, again), "--teacher", str(whole)]
    for _ in range(2):
        assert stopped(*command).code == 0
    assert lacuna(*command).code == 0
    assert (out / NETWORK).read_bytes() == (again / NETWORK).read_bytes()

    (again / "checkpoint.pt").unlink()
    other = [*toy.arguments(recipe, again), "--teacher", str(out)]
    ran = lacuna(*other)
    assert ran.code == 2
    assert "of another teacher or over other data" in ran.err


@pytest.mark.parametrize(
    ("missing", "said"),
    [("recipe", "no recipe"), ("data", "no folder"), ("encoder", "--encoder DIR")],
)
def test_what_is_missing_is_named(lacuna: Any, toy: Any, missing: str, said: str) -> None:
    nowhere = str(toy.folder / "nowhere")
    given = {"recipe": str(toy.recipe()), "data": str(toy.data), "encoder": str(toy.encoder)}
    given[missing] = nowhere
    ran = lacuna(
        *("train", given["recipe"], "--data", given["data"], "--out", toy.folder / "run"),
        *("--encoder", given["encoder"]),
    )
    assert ran.code == 2
    assert said in ran.err


def test_nothing_to_learn_from(lacuna: Any, toy: Any) -> None:
    out = toy.out("run")
    ran = lacuna(*toy.arguments(toy.recipe(sources={"squad1": 0.01}), out))
    assert ran.code == 2
    assert "nothing to learn from" in ran.err


def test_export_says_what_is_wrong(lacuna: Any, toy: Any, whole: Path) -> None:
    ran = lacuna("export", toy.encoder, toy.folder / "exported")
    assert ran.code == 2
    assert "holds no trained network" in ran.err
    ran = lacuna("export", whole, whole)
    assert ran.code == 2
    assert "another one" in ran.err
    (whole / NETWORK).write_bytes((whole / NETWORK).read_bytes()[:500])
    ran = lacuna("export", whole, toy.folder / "exported")
    assert ran.code == 2
    assert "cannot be read" in ran.err


@pytest.mark.parametrize("verb", ["train", "export"])
def test_without_the_extra_the_install_line_is_given(
    lacuna: Any, toy: Any, verb: str, lab_unloaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("lacuna_lab.train.run", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    arguments = {
        "train": toy.arguments(toy.recipe(), toy.folder / "run"),
        "export": ["export", str(toy.folder), str(toy.folder / "exported")],
    }
    ran = lacuna(*arguments[verb])
    assert ran.code == 2
    assert "pip install 'lacuna-qa[lab]'" in ran.err


def test_without_a_tokenizer_the_shipped_one_is_taken(toy: Any) -> None:
    planned = plan_run(toy.recipe(tokenizer=""), toy.data, toy.folder / "new")
    assert planned.tokenizer == SHIPPED / "small" / TOKENIZER
