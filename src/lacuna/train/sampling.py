"""Which instances an epoch sees, in batches that only the seed and the epoch decide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lacuna.train.instances import UNKNOWN, Instances
from lacuna.train.recipe import Recipe

Indices = NDArray[np.int64]


def held_out(data: Instances, share: float) -> tuple[Indices, Indices]:
    """What is trained on, and whole groups that are not; the same in every run over the data."""
    group = data.scalar("group")
    groups = np.random.default_rng(5).permutation(np.unique(group))
    aside = np.isin(group, groups[: round(share * len(groups))])
    return np.flatnonzero(~aside), np.flatnonzero(aside)


def epoch_batches(
    data: Instances, trained_on: Indices, recipe: Recipe, names: Sequence[str], epoch: int
) -> list[Indices]:
    """The batches of an epoch in their order, which the recipe's seed decides.

    ``names`` are those of the sources, by the number that instances know them by.
    """
    rng = np.random.default_rng([recipe.seed, 7, epoch])
    source = data.scalar("source")[trained_on]
    chosen = []
    for number, name in enumerate(names):
        share = recipe.sources.get(name, 0.0)
        own = trained_on[source == number]
        group = data.scalar("group")[own]
        groups = rng.permutation(np.unique(group))
        whole, part = int(share), share - int(share)
        chosen += [own] * whole
        if part:
            sample = groups[: round(part * len(groups))]
            chosen.append(own[np.isin(group, sample)])
    # A source that is seen twice in an epoch must not meet itself in one batch's group.
    batches = [
        batch
        for number, once in enumerate(_apart(np.concatenate([trained_on[:0], *chosen])))
        for batch in plan_batches(
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


def units(data: Instances, chosen: Indices) -> tuple[Indices, Indices]:
    """The chosen instances in units that must stay together, and where each unit begins.

    The choices of one question are a unit, and so are the rival windows of a group; every other
    instance is one by itself.
    """
    together = (data.scalar("choice") != UNKNOWN)[chosen] | (data.scalar("rival") != UNKNOWN)[
        chosen
    ]
    alone, grouped = chosen[~together], chosen[together]
    groups = data.scalar("group")[grouped]
    order = np.argsort(groups, kind="stable")
    grouped, groups = grouped[order], groups[order]
    begins = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
    return (
        np.concatenate([alone, grouped]),
        np.concatenate([np.arange(len(alone)), len(alone) + begins]),
    )


def plan_batches(
    data: Instances, chosen: Indices, *, tokens: int, seed: int, epoch: int
) -> list[Indices]:
    """All batches of an epoch: units of similar length together, the batches in random order.

    A batch has at most so many padded tokens, unless a single unit has more.
    """
    if not len(chosen):
        return []
    rng = np.random.default_rng([seed, epoch])
    index, begins = units(data, chosen)
    longest = np.maximum.reduceat(data.ids.sizes[index], begins)
    rows = np.diff(begins, append=len(index))
    # A little noise, so that equal lengths do not always meet the same neighbours.
    order = np.argsort(longest * rng.uniform(0.95, 1.05, len(begins)), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    index = index[np.argsort(np.repeat(place, rows), kind="stable")]
    cuts = _cuts(longest[order].tolist(), rows[order].tolist(), tokens)
    batches = np.split(index, cuts)
    return [batches[number] for number in rng.permutation(len(batches))]


def _cuts(longest: list[int], rows: list[int], tokens: int) -> list[int]:
    """After how many rows each batch but the last ends."""
    cuts: list[int] = []
    widest = batch = done = 0
    for width, count in zip(longest, rows, strict=True):
        widest = max(widest, width)
        if batch and widest * (batch + count) > tokens:
            cuts.append(done)
            widest, batch = width, 0
        batch += count
        done += count
    return cuts
