"""What people collect in real browsers can be trained on as it was exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from browsing import browser, needs_chromium
from project_walk import Begun, walking
from toy_recipes import write_recipe
from whole_paths import HOTPOTQA, IIRC, walk_hotpotqa, walk_iirc

__all__ = ["browser"]
pytestmark = needs_chromium


def trained_one_step(lacuna: Any, recipe: Path, data: Path, dataset: str, *more: Any) -> None:
    """All questions are one batch, read once."""
    assert json.loads((data / dataset / "train.json").read_text("utf-8"))
    out = data.parent / "run"
    ran = lacuna("train", recipe, "--data", data, "--out", out, *more)
    assert ran.code == 0, ran.err
    with (out / "seed-1" / "losses.csv").open(newline="") as file:
        (epoch,) = csv.DictReader(file)
    assert float(epoch["loss"]) > 0


def test_iirc(browser: Any, lacuna: Any, encoder: Path, tmp_path: Path) -> None:
    with walking(browser, lacuna, Begun(tmp_path, "iirc-questions", IIRC)) as walk:
        walk_iirc(walk)
        walk.exported(tmp_path / "data" / "iirc")
    toy = {"name": "toy", "epochs": 1, "batch": 64, "held_out": 0.0, "longest": 128}
    recipe = write_recipe(tmp_path, "iirc-links", **toy)
    trained_one_step(lacuna, recipe, tmp_path / "data", "iirc", "--encoder", encoder)


def test_hotpotqa(
    browser: Any, lacuna: Any, paper_recipe: Callable[..., Path], tmp_path: Path
) -> None:
    with walking(browser, lacuna, Begun(tmp_path, "hotpotqa-questions", HOTPOTQA)) as walk:
        walk_hotpotqa(walk)
        walk.exported(tmp_path / "data" / "hotpotqa")
    recipe = paper_recipe("hotpotqa-paper", epochs=1, batch=64)
    trained_one_step(lacuna, recipe, tmp_path / "data", "hotpotqa")
