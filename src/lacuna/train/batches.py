"""Batches of like length in an order that only the seed and the epoch decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from lacuna.train.instances import MAX_DERIVATIONS, MAX_SPANS, MAX_TERMS, UNKNOWN, Instances

Indices = NDArray[np.int64]
COLLATORS = 6
"""Processes that make batches for a GPU."""


@dataclass(slots=True)
class Batch:
    """Padded tensors; places are token positions, and -1 fills what is not there."""

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
    yes_no_act: Tensor
    follow_up_act: Tensor
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


def units(data: Instances, chosen: Indices) -> tuple[Indices, Indices]:
    """The chosen instances in units that must stay together, and where each unit begins.

    The choices of one question are a unit; every other instance is one by itself.
    """
    together = data.scalar("choice")[chosen] != UNKNOWN
    alone, grouped = chosen[~together], chosen[together]
    groups = data.scalar("group")[grouped]
    order = np.argsort(groups, kind="stable")
    grouped, groups = grouped[order], groups[order]
    begins = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
    return (
        np.concatenate([alone, grouped]),
        np.concatenate([np.arange(len(alone)), len(alone) + begins]),
    )


def plan(data: Instances, chosen: Indices, *, tokens: int, seed: int, epoch: int) -> list[Indices]:
    """All batches of an epoch: units of like length together, the batches in random order.

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
    made = np.split(index, cuts)
    return [made[number] for number in rng.permutation(len(made))]


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


def collate(data: Instances, index: Indices) -> Batch:
    """Pad the instances of one batch."""
    tokens = -(-int(data.ids.sizes[index].max()) // 8) * 8  # the fused kernels like eights
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
    for row, one in enumerate(index.tolist()):
        size = data.ids.sizes[one]
        ids[row, :size] = data.ids[one]
        marks[row, :size] = data.marks[one]
        mask[row, :size] = 1
        for first, last in data.regions[one]:
            readable[row, first : last + 1] = 1
        found = data.spans[one][:MAX_SPANS]
        spans[row, : len(found)] = found
        for first, last in data.tagged[one]:
            tags[row, first] = 1
            tags[row, first + 1 : last + 1] = 2
            tagged[row] = True
        for name, padded in places.items():
            values = getattr(data, name)[one]
            padded[row, : len(values)] = values
        filled = [0] * MAX_DERIVATIONS
        for derivation, number, sign in data.terms[one].tolist():
            terms[row, derivation, filled[derivation]] = number, sign
            filled[derivation] += 1
    scalar = {
        name: torch.from_numpy(data.scalar(name)[index].astype(np.int64))
        for name in ("count", "fixed", "relevance", "yes_no_act", "follow_up_act", "source")
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
        **{name: torch.from_numpy(array) for name, array in places.items()},
        **scalar,
    )


def _choices(data: Instances, index: Indices) -> Indices:
    right, group = data.scalar("choice")[index], data.scalar("group")[index]
    rows: dict[int, list[int]] = {}
    for row in np.flatnonzero(right != UNKNOWN).tolist():
        known = rows.setdefault(int(group[row]), [])
        known.insert(0 if right[row] else len(known), row)
    made = np.full((len(rows), max(map(len, rows.values()), default=1)), UNKNOWN, np.int64)
    for number, some in enumerate(rows.values()):
        made[number, : len(some)] = some
    return made


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
