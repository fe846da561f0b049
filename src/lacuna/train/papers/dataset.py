"""All examples of a run, and the order in which they are seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lacuna.train.papers.batch import PaperBatch, PaperExample
from lacuna.train.papers.task import PaperTask
from lacuna.train.papers.tokens import TokenArrays

POOL = 40
"""Batches that are sorted by length together: more pad less, and are less mixed."""


@dataclass(frozen=True, slots=True)
class PaperDataset:
    """Examples with the words that they are made of."""

    task: PaperTask
    examples: Sequence[PaperExample]
    tokens: TokenArrays

    def split(self, share: float) -> tuple[list[int], list[int]]:
        """The examples to learn from, and those held out: all questions about one text together."""
        groups = list(dict.fromkeys(example.group for example in self.examples))
        order = np.random.default_rng(0).permutation(len(groups))  # the same for each seed
        aside = {groups[number] for number in order[: round(share * len(groups))]}
        trained_on = [n for n, example in enumerate(self.examples) if example.group not in aside]
        held_out = [n for n, example in enumerate(self.examples) if example.group in aside]
        return trained_on, held_out

    def batches(self, numbers: Sequence[int], size: int) -> Iterator[tuple[PaperBatch, int]]:
        """Batches of those examples, and how many are in each."""
        for at in range(0, len(numbers), size):
            chosen = numbers[at : at + size]
            yield self.task.batch([self.examples[n] for n in chosen], self.tokens), len(chosen)

    def by_length(self, numbers: Sequence[int]) -> list[int]:
        """From the shortest context to the longest."""
        return sorted(numbers, key=lambda number: len(self.examples[number].context))

    def shuffled(self, numbers: Sequence[int], size: int, random: np.random.Generator) -> list[int]:
        """Another order, in which the examples of a batch are of similar length."""
        order = random.permutation(numbers).tolist()
        batches = []
        for at in range(0, len(order), size * POOL):
            pool = self.by_length(order[at : at + size * POOL])
            batches += [pool[start : start + size] for start in range(0, len(pool), size)]
        short = [batch for batch in batches if len(batch) < size]
        whole = [batch for batch in batches if len(batch) == size]
        mixed = [whole[number] for number in random.permutation(len(whole))]
        return [number for batch in (*mixed, *short) for number in batch]
