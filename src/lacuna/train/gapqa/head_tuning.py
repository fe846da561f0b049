"""Heads that learn to name relations, over an encoder that stays as it is.

What the heads see of every question is calculated once and held in memory; an epoch then takes
seconds on any machine.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.heads import Features, GapScores
from lacuna.train.gapqa.loss import Targets, line_loss, relation_loss
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.recipe import GapRecipe
from lacuna.train.gapqa.relation_pretraining import RelationFeatures
from lacuna.train.gapqa.trainer import SCORE_BATCH, GapTrainingEnd, batches
from lacuna.train.schedule import Progress


class CachedFeatures:
    """What the heads see of a dataset, with its targets, batch by batch."""

    def __init__(
        self, network: GapNetwork, data: GapDataset, progress: Progress | None = None
    ) -> None:
        network.eval()
        data = data.to(next(network.parameters()).device)
        self.batches: list[tuple[Features, Targets]] = []
        for start in range(0, len(data), SCORE_BATCH):
            numbers = list(range(start, min(start + SCORE_BATCH, len(data))))
            for batch, targets in batches(network, data, [numbers]):
                with torch.no_grad():
                    self.batches.append((network.read(batch)[0], targets))
            if progress is not None:
                progress(start + len(numbers))


def tune_heads(
    recipe: GapRecipe,
    seed: int,
    network: GapNetwork,
    cached: CachedFeatures,
    pretraining: RelationFeatures,
    progress: Progress,
) -> GapTrainingEnd:
    """Teach the heads to name relations; their scores of choices stay as they were."""
    torch.manual_seed(seed)
    before = [_scores(network, features).choices for features, _ in cached.batches]
    network.heads.train()
    optimizer = torch.optim.AdamW(
        network.heads.parameters(), lr=recipe.head_learning_rate, weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / recipe.epochs)
    for epoch in range(recipe.epochs):
        order = np.random.default_rng((seed, epoch)).permutation(len(before))
        parts = (
            torch.randperm(len(pretraining.labels)).to(pretraining.labels.device).chunk(len(order))
        )
        for place, number in enumerate(order):
            features, targets = cached.batches[number]
            scores = network.heads(features, knowledge=network.shown.knowledge)
            moved = _within(scores.choices - before[number], features.asked).square().mean()
            relations = relation_loss(scores, features.asked, targets)
            lines = line_loss(scores, targets)
            if place < len(parts):
                lines = lines + pretraining.loss(network, parts[place])
            loss = moved / 2 + recipe.relation_weight * relations + recipe.line_weight * lines
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        schedule.step()
        progress(epoch + 1)
    network.eval()
    return GapTrainingEnd(recipe.epochs, None)


def _scores(network: GapNetwork, features: Features) -> GapScores:
    with torch.no_grad():
        scores: GapScores = network.heads.eval()(features, knowledge=network.shown.knowledge)
    return scores


def _within(moved: Tensor, asked: Tensor) -> Tensor:
    """How scores moved relative to the other choices: a shift of all of them does not count."""
    questions = torch.bincount(asked)
    means = moved.new_zeros(len(questions)).index_add(0, asked, moved) / questions
    return moved - means[asked]
