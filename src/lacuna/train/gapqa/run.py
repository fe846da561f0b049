"""A whole GapQA run: one network a seed, each in a folder of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict

import torch

from lacuna.models.model_folder import CONFIG
from lacuna.train.gapqa.dataset import Dataset
from lacuna.train.gapqa.frozen import Frozen, tune_heads
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.planned import PlannedGap, begin
from lacuna.train.gapqa.recipe import BILSTM
from lacuna.train.gapqa.relation_pretraining import Practice
from lacuna.train.gapqa.saved import save_gap
from lacuna.train.gapqa.trainer import Ended, GapTraining, tidy
from lacuna.version import __version__

Progress = Callable[[int], None]
"""Told the steps done, over all seeds."""


def learn(
    planned: PlannedGap,
    data: Dataset,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Iterator[tuple[int, Ended]]:
    """Train with each seed that is not done yet; stops after ``until``, to go on in another run."""
    recipe = planned.recipe
    done = 0

    def seen(steps: int) -> None:
        if progress is not None:
            progress(done + steps)

    frozen: Frozen | None = None
    for seed in recipe.seeds:
        folder = planned.out / f"seed-{seed}"
        if (folder / CONFIG).is_file():
            continue
        torch.manual_seed(seed)
        network = begin(planned)
        if recipe.only_heads:
            frozen = frozen or Frozen(network, data, seen)
            practice = Practice.of(network, planned.drills())
            ended = tune_heads(recipe, seed, network, frozen, practice, seen)
        else:
            training = GapTraining(recipe, seed, network, data, folder)
            ended = training.run(seen, until=until)
            network, done = training.network, done + training.steps
        if not ended.stopped:
            _keep(planned, network, seed, ended)
            tidy(folder)
        yield seed, ended
        if ended.stopped:
            return


def _keep(planned: PlannedGap, network: GapNetwork, seed: int, ended: Ended) -> None:
    about = {
        "name": f"{planned.recipe.name}-{seed}",
        "made_with": __version__,
        "recipe": asdict(planned.recipe),
        "held_out_accuracy": ended.held_out,
        "epochs": ended.epochs,
    }
    bilstm = planned.recipe.kind == BILSTM
    save_gap(
        network,
        planned.recipe,
        planned.out / f"seed-{seed}",
        about,
        tokenizer=None if bilstm else planned.tokenizer,
        vocabulary=planned.vectors[0] if bilstm else None,
    )
