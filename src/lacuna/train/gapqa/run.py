"""A whole GapQA run: one network a seed, each in a folder of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict

import torch

from lacuna.models.model_folder import CONFIG
from lacuna.train.checkpoint import tidy
from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.head_tuning import CachedFeatures, tune_heads
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.plan import GapTrainingPlan, begin
from lacuna.train.gapqa.recipe import BILSTM
from lacuna.train.gapqa.relation_pretraining import RelationFeatures
from lacuna.train.gapqa.torch_model import save_gap
from lacuna.train.gapqa.trainer import GapTraining, GapTrainingEnd
from lacuna.train.schedule import Progress
from lacuna.version import __version__


def learn(
    plan: GapTrainingPlan,
    data: GapDataset,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Iterator[tuple[int, GapTrainingEnd]]:
    """Train with each seed that is not done yet; stops after ``until``, to go on in another run.

    ``progress`` counts the steps of all seeds.
    """
    recipe = plan.recipe
    done = 0

    def count(steps: int) -> None:
        if progress is not None:
            progress(done + steps)

    cached: CachedFeatures | None = None
    for seed in recipe.seeds:
        folder = plan.out / f"seed-{seed}"
        if (folder / CONFIG).is_file():
            continue
        torch.manual_seed(seed)
        network = begin(plan)
        if recipe.only_heads:
            cached = cached or CachedFeatures(network, data, count)
            pretraining = RelationFeatures.of(network, plan.relation_examples())
            end = tune_heads(recipe, seed, network, cached, pretraining, count)
        else:
            training = GapTraining(recipe, seed, network, data, folder)
            end = training.run(count, until=until)
            network, done = training.network, done + training.steps
        if not end.stopped:
            _save(plan, network, seed, end)
            tidy(folder)
        yield seed, end
        if end.stopped:
            return


def _save(plan: GapTrainingPlan, network: GapNetwork, seed: int, end: GapTrainingEnd) -> None:
    about = {
        "name": f"{plan.recipe.name}-{seed}",
        "made_with": __version__,
        "recipe": asdict(plan.recipe),
        "held_out_accuracy": end.held_out,
        "epochs": end.epochs,
    }
    is_bilstm = plan.recipe.kind == BILSTM
    save_gap(
        network,
        plan.recipe,
        plan.out / f"seed-{seed}",
        about,
        tokenizer=None if is_bilstm else plan.tokenizer,
        vocabulary=plan.vectors[0] if is_bilstm else None,
    )
