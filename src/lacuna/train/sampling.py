"""What is seen in each epoch, and what is kept aside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lacuna.train.batches import Indices, plan
from lacuna.train.instances import Instances
from lacuna.train.recipe import Recipe


def held_out(data: Instances, share: float) -> tuple[Indices, Indices]:
    """What is learned from, and whole groups kept aside, the same in every run over the data."""
    group = data.scalar("group")
    groups = np.random.default_rng(5).permutation(np.unique(group))
    aside = np.isin(group, groups[: round(share * len(groups))])
    return np.flatnonzero(~aside), np.flatnonzero(aside)


def epoch_batches(
    data: Instances, kept: Indices, recipe: Recipe, names: Sequence[str], epoch: int
) -> list[Indices]:
    """The batches of an epoch in their order, which the recipe's seed decides.

    ``names`` are those of the sources, by the number that instances know them by.
    """
    rng = np.random.default_rng([recipe.seed, 7, epoch])
    source = data.scalar("source")[kept]
    chosen = []
    for number, name in enumerate(names):
        share = recipe.sources.get(name, 0.0)
        own = kept[source == number]
        group = data.scalar("group")[own]
        groups = rng.permutation(np.unique(group))
        whole, part = int(share), share - int(share)
        chosen += [own] * whole
        if part:
            some = groups[: round(part * len(groups))]
            chosen.append(own[np.isin(group, some)])
    # A source that is seen twice in an epoch must not meet itself in one batch's group.
    batches = [
        batch
        for number, once in enumerate(_apart(np.concatenate([kept[:0], *chosen])))
        for batch in plan(
            data, once, tokens=recipe.batch_tokens, seed=recipe.seed, epoch=epoch * 100 + number
        )
    ]
    order = np.random.default_rng([recipe.seed, 11, epoch]).permutation(len(batches))
    return [batches[number] for number in order]


def _apart(index: Indices) -> list[Indices]:
    """Split repeated instances into rounds in which each stands once."""
    rounds = []
    while len(index):
        _, first = np.unique(index, return_index=True)
        rounds.append(index[np.sort(first)])
        index = np.delete(index, first)
    return rounds
