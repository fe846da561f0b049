"""Several processes that train together: one run, equal to that of one process."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

NETWORK = "network.safetensors"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_two_processes_learn_what_one_learns_from_both_their_batches(lacuna: Any, toy: Any) -> None:
    """Two with a batch each for a step, and one with two batches for a step: the same bits."""
    together, alone = toy.out("together"), toy.out("alone")
    script = toy.folder / "start.py"
    script.write_text("from lacuna.cli import main\nif __name__ == '__main__':\n    main()\n")
    launch = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    words = toy.arguments(toy.recipe(accumulate=1, epochs=2), together)
    ran = subprocess.run(
        [sys.executable, *launch, str(script), *words],
        capture_output=True,
        text=True,
        timeout=150,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("Training data") == 1
    assert ran.stderr.count("the model is in") == 1
    here = lacuna(*toy.arguments(toy.recipe(accumulate=2, epochs=2), alone))
    assert here.code == 0, here.err
    steps = [json.loads((out / "config.json").read_text())["steps"] for out in (together, alone)]
    assert steps[0] == steps[1] > 3
    assert [int(row["step"]) for row in rows(together / "curve.csv")] == [steps[0]]
    assert rows(together / "checks.csv") == rows(alone / "checks.csv")
    assert (together / NETWORK).read_bytes() == (alone / NETWORK).read_bytes()
