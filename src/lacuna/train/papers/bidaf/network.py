"""BiDAF (Seo et al. 2017), of the layers that all papers' networks share."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor, nn

from lacuna.train.layers.pointer import StackedPointer, pointer_loss
from lacuna.train.papers.batch import NOWHERE, TextBatch
from lacuna.train.papers.bidaf.recipe import SpanRecipe
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.reading_body import ReadingBody


class SpanScores(NamedTuple):
    """Scores before any softmax, [texts, words] each."""

    start: Tensor
    end: Tensor


class SpanNetwork(nn.Module):
    """Where in a text an answer begins and ends."""

    def __init__(
        self, recipe: SpanRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        self.body = ReadingBody(recipe, vectors, encoder)
        self.start = StackedPointer(self.body.size, 0, recipe.hidden, recipe.dropout)
        self.end = StackedPointer(self.body.size, self.start.size, recipe.hidden, recipe.dropout)

    def forward(self, batch: TextBatch) -> SpanScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch)  # [texts, words, size]
        start_states, start = self.start(states, None, lengths, allowed)
        return SpanScores(start, self.end(states, start_states, lengths, allowed)[1])

    def loss(self, batch: TextBatch) -> Tensor:
        """Of start and end."""
        scores = self(batch)
        return pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)
