"""Heads learned over an encoder that stays as it is.

What the heads see of every question is read once and kept in memory; then an epoch takes seconds,
on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from lacuna.train.gap.dataset import Dataset
from lacuna.train.gap.heads import Features
from lacuna.train.gap.loop import SCORE_BATCH, Ended, batches
from lacuna.train.gap.loss import Targets, answer_loss
from lacuna.train.gap.network import GapNetwork
from lacuna.train.gap.recipe import GapRecipe

Progress = Callable[[int], None]


class Frozen:
    """All features of a dataset, with its targets."""

    def __init__(
        self, network: GapNetwork, data: Dataset, progress: Progress | None = None
    ) -> None:
        network.eval()
        device = next(network.parameters()).device
        data = data.to(device)
        self._parts: list[tuple[Features, Targets, Tensor]] = []
        order = list(range(len(data)))
        for start in range(0, len(order), SCORE_BATCH):
            some = order[start : start + SCORE_BATCH]
            for batch, targets in batches(network, data, [some]):
                with torch.no_grad():
                    features, _ = network.read(batch)
                self._parts.append((features, targets, batch.order))
            if progress is not None:
                progress(start + len(some))

    def shuffled(self, seed: int, epoch: int) -> Sequence[tuple[Features, Targets]]:
        """The batches in another order."""
        order = np.random.default_rng((seed, epoch)).permutation(len(self._parts))
        return [self._parts[number][:2] for number in order]


def tune_heads(
    recipe: GapRecipe, seed: int, network: GapNetwork, frozen: Frozen, progress: Progress
) -> Ended:
    """Train the heads alone."""
    torch.manual_seed(seed)
    network.heads.train()
    optimizer = torch.optim.AdamW(
        network.heads.parameters(), lr=recipe.head_learning_rate, weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / recipe.epochs)
    for epoch in range(recipe.epochs):
        for features, targets in frozen.shuffled(seed, epoch):
            scores = network.heads(features, knowledge=network.shown.knowledge)
            loss = answer_loss(recipe, scores, features.asked, targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        schedule.step()
        progress(epoch + 1)
    network.eval()
    return Ended(recipe.epochs, None)
