"""Heads that learn to name relations, over an encoder that stays as it is.

What the heads see of every question is read once and kept in memory; then an epoch takes seconds,
on any machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lacuna.train.gapqa.dataset import Dataset
from lacuna.train.gapqa.heads import Features, GapScores
from lacuna.train.gapqa.loss import Targets, line_loss, relation_loss
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.recipe import GapRecipe
from lacuna.train.gapqa.relation_pretraining import Practice
from lacuna.train.gapqa.trainer import SCORE_BATCH, Ended, batches

Progress = Callable[[int], None]


class Frozen:
    """All features of a dataset, with its targets, batch by batch."""

    def __init__(
        self, network: GapNetwork, data: Dataset, progress: Progress | None = None
    ) -> None:
        network.eval()
        data = data.to(next(network.parameters()).device)
        self.batches: list[tuple[Features, Targets]] = []
        for start in range(0, len(data), SCORE_BATCH):
            some = list(range(start, min(start + SCORE_BATCH, len(data))))
            for batch, targets in batches(network, data, [some]):
                with torch.no_grad():
                    self.batches.append((network.read(batch)[0], targets))
            if progress is not None:
                progress(start + len(some))


def tune_heads(
    recipe: GapRecipe,
    seed: int,
    network: GapNetwork,
    frozen: Frozen,
    practice: Practice,
    progress: Progress,
) -> Ended:
    """Teach the heads to name relations; what they say of choices is kept as it was."""
    torch.manual_seed(seed)
    said = [_judge(network, features).choices for features, _ in frozen.batches]
    network.heads.train()
    optimizer = torch.optim.AdamW(
        network.heads.parameters(), lr=recipe.head_learning_rate, weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / recipe.epochs)
    for epoch in range(recipe.epochs):
        order = np.random.default_rng((seed, epoch)).permutation(len(said))
        parts = torch.randperm(len(practice.labels)).to(practice.labels.device).chunk(len(order))
        for place, number in enumerate(order):
            features, targets = frozen.batches[number]
            scores = network.heads(features, knowledge=network.shown.knowledge)
            moved = _within(scores.choices - said[number], features.asked).square().mean()
            relations = relation_loss(scores, features.asked, targets)
            lines = line_loss(scores, targets)
            if place < len(parts):
                lines = lines + practice.loss(network, parts[place])
            loss = moved / 2 + recipe.relation_weight * relations + recipe.line_weight * lines
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        schedule.step()
        progress(epoch + 1)
    network.eval()
    return Ended(recipe.epochs, None)


def _judge(network: GapNetwork, features: Features) -> GapScores:
    with torch.no_grad():
        made: GapScores = network.heads.eval()(features, knowledge=network.shown.knowledge)
    return made


def _within(moved: Tensor, asked: Tensor) -> Tensor:
    """How scores moved against those of the other choices: a shift of all of them is none."""
    questions = torch.bincount(asked)
    means = moved.new_zeros(len(questions)).index_add(0, asked, moved) / questions
    return moved - means[asked]
