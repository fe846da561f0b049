"""A whole GapQA run: one network a seed, each in a folder of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict

import torch

from lacuna.read.model_files import CONFIG
from lacuna.train.gap.dataset import Dataset
from lacuna.train.gap.loop import Ended, GapTraining
from lacuna.train.gap.network import GapNetwork
from lacuna.train.gap.planned import PlannedGap, begin
from lacuna.train.gap.recipe import BILSTM
from lacuna.train.gap.saved import save_gap
from lacuna.version import __version__

Progress = Callable[[int, int], None]
"""Told the steps done and all steps, over all seeds."""


def learn(
    planned: PlannedGap,
    data: Dataset,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Iterator[tuple[int, Ended]]:
    """Train with each seed that is not done yet; stops after ``until``, to go on in another run."""
    recipe = planned.recipe
    for place, seed in enumerate(recipe.seeds):
        folder = planned.out / f"seed-{seed}"
        if (folder / CONFIG).is_file():
            continue
        torch.manual_seed(seed)
        training = GapTraining(recipe, seed, begin(planned), data, folder)

        def seen(done: int, before: int = place, steps: int = training.steps) -> None:
            if progress is not None:
                progress(before * steps + done, len(recipe.seeds) * steps)

        ended = training.run(seen, until=until)
        if not ended.stopped:
            _keep(planned, training.network, seed, ended)
            training.tidy()
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
