"""One score for a whole input, from the state of its first token: windows, and table 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.example import PieceBatch, PieceExample, piece_part
from lacuna.train.papers.encoded.recipe import EncoderRecipe


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledInput(PieceExample):
    """An input, and whether it is what is looked for."""

    label: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBatch(PieceBatch):
    """Several such inputs."""

    labels: Tensor
    """[texts]"""


class FirstTokenClassifier(nn.Module):
    """A linear layer over the first token's state; scores before the sigmoid."""

    def __init__(self, recipe: EncoderRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(recipe.dropout)
        self.score = nn.Linear(encoder.size, 1)

    def forward(self, batch: LabelledBatch) -> Tensor:
        """[texts]"""
        first = self.encoder(batch.ids, batch.mask)[:, 0]  # [texts, size]
        scores: Tensor = self.score(self.dropout(first)).squeeze(1)
        return scores

    def loss(self, batch: LabelledBatch) -> Tensor:
        """Cross-entropy, the mean over inputs."""
        return nn.functional.binary_cross_entropy_with_logits(self(batch), batch.labels.float())


def labelled_batch(examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
    """Several examples as tensors."""
    labels = torch.tensor([example.label for example in examples])
    return LabelledBatch(**piece_part(examples, pad), labels=labels)
