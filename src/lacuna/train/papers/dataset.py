"""All examples of a run over words, with the words that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lacuna.train.papers.batch import PaperBatch, PaperExample
from lacuna.train.papers.examples import PaperExamples
from lacuna.train.papers.recipe import PaperRecipe
from lacuna.train.papers.task import PaperTask
from lacuna.train.papers.tokens import TokenArrays


@dataclass(frozen=True, slots=True)
class PaperDataset(PaperExamples):
    """Examples with the words that they are made of."""

    task: PaperTask
    examples: Sequence[PaperExample]
    tokens: TokenArrays

    @property
    def recipe(self) -> PaperRecipe:
        return self.task.recipe

    def batch(self, numbers: Sequence[int]) -> PaperBatch:
        return self.task.batch([self.examples[number] for number in numbers], self.tokens)
