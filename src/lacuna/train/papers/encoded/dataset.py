"""All examples of a run over a pretrained encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from lacuna.train.papers.batch import PaperBatch
from lacuna.train.papers.encoded.example import PieceExample
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.encoded.task import EncoderTask
from lacuna.train.papers.examples import PaperExamples
from lacuna.train.papers.recipe import PaperRecipe


@dataclass(frozen=True, slots=True)
class PieceDataset(PaperExamples):
    """Examples with the tokenizer that they were made with."""

    task: EncoderTask
    examples: Sequence[PieceExample]
    tokenizer: PieceTokenizer

    @property
    def recipe(self) -> PaperRecipe:
        return self.task.recipe

    def batch(self, numbers: Sequence[int]) -> PaperBatch:
        return self.task.batch([self.examples[number] for number in numbers], self.tokenizer.pad)

    def read(self, device: torch.device, size: int) -> Iterator[tuple[list[int], Any]]:
        """All examples in batches of similar length, and which of them are in each."""
        order = self.by_length(range(len(self.examples)))
        for at in range(0, len(order), size):
            chosen = order[at : at + size]
            yield chosen, self.batch(chosen).to(device)
