"""All three stages: learned from the official files, and asked over the articles."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

WriteRecipe = Callable[..., Path]
STAGES = {"links": "iirc-links", "context": "iirc-context", "reader": "iirc-paper"}


def train(lacuna: Any, recipe: Path, data: Path, out: Path, encoder: Path, *more: str) -> Any:
    ran = lacuna("train", recipe, "--data", data, "--out", out, "--encoder", encoder, *more)
    assert ran.code == 0, ran.err
    return ran


def test_three_stages_learn_the_examples_by_heart_and_answer_over_the_articles(
    lacuna: Any,
    iirc_recipe: WriteRecipe,
    official_data: Path,
    encoder: Path,
    examples: Path,
    tmp_path: Path,
) -> None:
    runs = tmp_path / "runs"
    for name in ("links", "context"):
        train(lacuna, iirc_recipe(STAGES[name]), official_data, runs / name, encoder)
    rates = {"learning_rate": 1e-3, "head_rate": 3e-3}
    recipe = iirc_recipe("iirc-paper", stages=str(runs), epochs=80, **rates)
    train(lacuna, recipe, official_data, runs / "reader", encoder)

    def scores(*options: Any) -> Any:
        asked = ("evaluate", "iirc", examples / "iirc.json", "--json")
        ran = lacuna(*asked, *options)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    links = scores("--system", f"iirc-links:{runs / 'links' / 'seed-1'}")["search"]
    assert links["links_recall"] >= 0.9
    assert links["links_precision"] >= 0.9
    reader = ("--system", f"iirc-paper:{runs / 'reader' / 'seed-1'}")
    assert scores(*reader)["f1"] == 1.0
    corpus = ("--corpus", official_data / "iirc" / "context_articles.json")
    whole = scores(*reader, "--setting", "full", *corpus)
    assert whole["f1"] >= 0.4  # abstaining gives 0.29; it has learned gold quotes alone by heart
    assert whole["search"]["links_recall"] >= 0.9
    demo = lacuna("evaluate", "iirc", *reader, "--setting", "full", "--json")
    assert demo.code == 0, demo.err
    assert json.loads(demo.out)["search"]["links_followed"] is not None
    oracle = scores(*reader, "--setting", "oracle-links", *corpus)
    assert oracle["search"]["links_precision"] == 1.0
    recipe = iirc_recipe("iirc-unanswerable", reads="context", stages=str(runs), epochs=2)
    train(lacuna, recipe, official_data, tmp_path / "elsewhere", encoder)
    classifier = ("--system", f"iirc-unanswerable:{tmp_path / 'elsewhere' / 'seed-1'}")
    told = scores(*classifier, "--setting", "full", *corpus)
    assert told["search"]["links_recall"] == whole["search"]["links_recall"]
    assert told["abstention"] is not None
