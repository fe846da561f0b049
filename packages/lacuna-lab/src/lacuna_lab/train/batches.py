"""The instances that an epoch sees, and batches of them as padded tensors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from lacuna_lab.train.instances import MAX_DERIVATIONS, MAX_SPANS, MAX_TERMS, UNKNOWN, Instances
from lacuna_lab.train.recipe import Recipe

Indices = NDArray[np.int64]


def held_out(data: Instances, share: float) -> tuple[Indices, Indices]:
    """Split what is trained on from whole groups that are not; the same in every run over the
    data."""
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


COLLATORS = 12
"""Processes that make batches for a GPU."""


@dataclass(slots=True)
class Batch:
    """Padded tensors; places are token positions, and -1 stands for what is missing."""

    index: Tensor
    ids: Tensor  # [batch, tokens]
    marks: Tensor
    mask: Tensor
    readable: Tensor  # where spans may lie
    spans: Tensor  # [batch, spans, 2]
    tags: Tensor  # [batch, tokens]
    numbers: Tensor  # [batch, numbers, 2]
    terms: Tensor  # [batch, derivations, terms, 2]: which number, which sign
    sentences: Tensor  # [batch, sentences, 3]
    links: Tensor  # [batch, links, 3]
    answered: Tensor
    tagged: Tensor
    count: Tensor
    fixed: Tensor
    relevance: Tensor
    choices: Tensor  # [questions, choices]: the rows that are compared, the right one first
    rivals: Tensor  # [questions, windows]: the rows that compete for the answer of a question
    yes_no_act: Tensor
    follow_up_act: Tensor
    verdict: Tensor
    source: Tensor
    taught_per_token: Tensor | None = None
    """The teacher's scores, where there is a teacher."""
    taught_per_sequence: Tensor | None = None

    def pin_memory(self) -> Batch:
        """The same in memory that a GPU can read from; torch's loader calls this."""
        return self._each(lambda tensor: tensor.pin_memory())

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        return self._each(lambda tensor: tensor.to(device, non_blocking=True))

    def _each(self, change: Callable[[Tensor], Tensor]) -> Batch:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return Batch(**{n: None if v is None else change(v) for n, v in values.items()})


def collate(data: Instances, index: Indices) -> Batch:
    """Pad the instances of one batch."""
    tokens = (
        -(-int(data.ids.sizes[index].max()) // 8) * 8
    )  # fused kernels are fastest with multiples of eight
    rows = len(index)
    ids, marks, mask, readable, tags = (np.zeros((rows, tokens), np.int64) for _ in range(5))
    spans = np.full((rows, MAX_SPANS, 2), UNKNOWN, np.int64)
    terms = np.full((rows, MAX_DERIVATIONS, MAX_TERMS, 2), UNKNOWN, np.int64)
    widths = {
        n: int(getattr(data, n).sizes[index].max()) for n in ("numbers", "sentences", "links")
    }
    places = {
        name: np.full((rows, max(width, 1), 2 if name == "numbers" else 3), UNKNOWN, np.int64)
        for name, width in widths.items()
    }
    tagged = np.zeros(rows, bool)
    for row, number in enumerate(index.tolist()):
        size = data.ids.sizes[number]
        ids[row, :size] = data.ids[number]
        marks[row, :size] = data.marks[number]
        mask[row, :size] = 1
        for first, last in data.regions[number]:
            readable[row, first : last + 1] = 1
        gold = data.spans[number][:MAX_SPANS]
        spans[row, : len(gold)] = gold
        for first, last in data.tagged[number]:
            tags[row, first] = 1
            tags[row, first + 1 : last + 1] = 2
            tagged[row] = True
        for name, padded in places.items():
            values = getattr(data, name)[number]
            padded[row, : len(values)] = values
        filled = [0] * MAX_DERIVATIONS
        for derivation, term, sign in data.terms[number].tolist():
            terms[row, derivation, filled[derivation]] = term, sign
            filled[derivation] += 1
    scalar = {
        name: torch.from_numpy(data.scalar(name)[index].astype(np.int64))
        for name in (
            "count",
            "fixed",
            "relevance",
            "yes_no_act",
            "follow_up_act",
            "verdict",
            "source",
        )
    }
    return Batch(
        index=torch.from_numpy(index),
        ids=torch.from_numpy(ids),
        marks=torch.from_numpy(marks),
        mask=torch.from_numpy(mask),
        readable=torch.from_numpy(readable.astype(bool)),
        spans=torch.from_numpy(spans),
        tags=torch.from_numpy(tags),
        terms=torch.from_numpy(terms),
        answered=torch.from_numpy(data.scalar("answered")[index].astype(bool)),
        tagged=torch.from_numpy(tagged),
        choices=torch.from_numpy(_choices(data, index)),
        rivals=torch.from_numpy(_rivals(data, index)),
        **{name: torch.from_numpy(array) for name, array in places.items()},
        **scalar,
    )


def _choices(data: Instances, index: Indices) -> Indices:
    right, group = data.scalar("choice")[index], data.scalar("group")[index]
    rows: dict[int, list[int]] = {}
    for row in np.flatnonzero(right != UNKNOWN).tolist():
        compared = rows.setdefault(int(group[row]), [])
        compared.insert(0 if right[row] else len(compared), row)
    return _table(rows.values())


def _rivals(data: Instances, index: Indices) -> Indices:
    rival, group = data.scalar("rival")[index], data.scalar("group")[index]
    rows: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(rival != UNKNOWN).tolist():
        rows.setdefault((int(group[row]), int(rival[row])), []).append(row)
    return _table(rows.values())


def _table(rows: Collection[list[int]]) -> Indices:
    table = np.full((len(rows), max(map(len, rows), default=1)), UNKNOWN, np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


class Collated(Dataset[Batch]):
    """Batches by their number, for torch's loader to collate in other processes."""

    def __init__(
        self,
        data: Instances,
        batches: Sequence[Indices],
        taught: Callable[[Batch], tuple[Tensor, Tensor]] | None = None,
    ) -> None:
        self._data, self._batches, self._taught = data, batches, taught

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, number: int) -> Batch:
        batch = collate(self._data, self._batches[number])
        if self._taught is not None:
            batch.taught_per_token, batch.taught_per_sequence = self._taught(batch)
        return batch


def prefetched(batches: Collated, workers: int = 0) -> Iterable[Batch]:
    """All batches in order, made in the background so that a GPU never waits for the host."""
    loader: Iterable[Batch] = DataLoader(
        batches,
        batch_size=None,
        num_workers=workers,
        prefetch_factor=6 if workers else None,
        pin_memory=workers > 0,
        # A loader without one of its own draws from torch's, on which dropout depends: a run
        # would change with the number of times that it was stopped.
        generator=torch.Generator(),
    )
    return loader
