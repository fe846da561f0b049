"""GapQA's systems, trained with several seeds and scored on dev.

Needs only what gapqa-examples left in WORK (so that it can be done on another machine) and the
encoder: a folder, or for the BiLSTM its word vectors. A system is ENCODER/VARIANT, such as
small/gapqa or bilstm/fact-only. What was run once is not run again.
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import torch

from benchmarks.gapqa.systems import RESULTS, examples_of, recipe_of
from benchmarks.registry import command
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import SHIPPED, TOKENIZER
from lacuna_lab.gapqa.data import GapDataset
from lacuna_lab.gapqa.network import GapNetwork
from lacuna_lab.gapqa.recipe import BILSTM, NONE_OF_THEM, UNKNOWN
from lacuna_lab.gapqa.run import (
    SCORE_BATCH,
    GapTraining,
    GapTrainingPlan,
    autocast,
    batches,
    begin,
    choice_scores,
    save_gap,
)
from lacuna_lab.train.checkpoint import tidy


def main(arguments: Sequence[str]) -> None:
    """Train and score systems, each with all seeds."""
    parser = command("gapqa-train", __doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("systems", help="ENCODER/VARIANT, several with commas between them")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--changes", default="{}", help="other settings of the recipe, as JSON")
    parser.add_argument("--keep", action="store_true", help="keep the networks too")
    options = parser.parse_args(arguments)
    for system in options.systems.split(","):
        encoder, variant = system.split("/")
        for seed in map(int, options.seeds.split(",")):
            train_and_score(options, encoder, variant, seed)


def train_and_score(options: Namespace, encoder: str, variant: str, seed: int) -> None:
    """One system with one seed."""
    changes = json.loads(options.changes)
    recipe = replace(recipe_of(encoder, variant), encoder=options.encoder, **changes)
    name = "-".join([recipe.name, *(f"{key}={value}" for key, value in changes.items()), str(seed)])
    path = options.work / RESULTS / f"{name}.json"
    if path.is_file():
        return
    path.parent.mkdir(exist_ok=True)
    start = time.perf_counter()
    torch.manual_seed(seed)
    plan = GapTrainingPlan(recipe, Path(), Path(), options.work / name)
    train, dev = (
        load_examples(options.work / examples_of(encoder, variant, part))
        for part in ("train", "dev")
    )
    training = GapTraining(recipe, seed, begin(plan), train, plan.out)
    end = training.run()
    scores = choice_scores(training.network, dev, range(len(dev)), recipe.precision)
    result = {
        "recipe": asdict(recipe),
        "held_out": end.held_out,
        "epochs": end.epochs,
        "seconds": time.perf_counter() - start,
        "lines": lines_right(training.network, dev, recipe.precision),
        "scores": {id_: each.tolist() for id_, each in zip(dev.names, scores, strict=True)},
    }
    with replace_text(path) as out:
        json.dump(result, out)
    right = [
        int(each.argmax()) == gold for each, gold in zip(scores, dev.arrays["right"], strict=True)
    ]
    print(
        f"{name}: dev {100 * sum(right) / len(right):.1f}, held out {end.held_out} after "
        f"{end.epochs} epochs, {result['seconds']:.0f} s",
        flush=True,
    )
    if options.keep and recipe.kind != BILSTM:
        save_gap(
            training.network.half(),
            recipe,
            plan.out,
            {"name": name, "held_out_accuracy": end.held_out},
            tokenizer=SHIPPED / "small" / TOKENIZER,
        )
    tidy(plan.out)


def lines_right(network: GapNetwork, data: GapDataset, precision: str) -> float | None:
    """Of the lines that state one of the relations, the share that is read so."""
    known = right = 0
    every = range(len(data))
    chunks = [every[start : start + SCORE_BATCH] for start in range(0, len(data), SCORE_BATCH)]
    network.eval()
    for batch, targets in batches(network, data.to(next(network.parameters()).device), chunks):
        device = batch.asked.device
        with torch.no_grad(), autocast(device, precision):
            lines = network(batch)[0].lines
        stated = (targets.lines != UNKNOWN) & (targets.lines != NONE_OF_THEM)
        known += int(stated.sum())
        right += int((lines[stated].argmax(1) == targets.lines[stated]).sum())
    return right / known if known else None


@cache
def load_examples(path: Path) -> GapDataset:
    """Examples that several runs share."""
    return GapDataset.load(path)
