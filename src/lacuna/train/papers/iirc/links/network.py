"""IIRC's link model: the first and last state of each mention, and one linear layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.iirc.links.example import LinkBatch
from lacuna.train.papers.iirc.recipes import LinkRecipe


class LinkNetwork(nn.Module):
    """Scores links before the sigmoid."""

    def __init__(self, recipe: LinkRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(recipe.dropout)
        self.score = nn.Linear(2 * encoder.size, 1)

    def forward(self, batch: LinkBatch) -> Tensor:
        """[texts, links]"""
        states = self.dropout(self.encoder(batch.ids, batch.mask))  # [texts, pieces, size]
        return self.score(states_at(states, batch.bounds)).squeeze(2)

    def loss(self, batch: LinkBatch) -> Tensor:
        """Cross-entropy, the mean over links."""
        scores, real = self(batch), batch.link_mask
        return nn.functional.binary_cross_entropy_with_logits(
            scores[real], batch.needed[real].float()
        )


def states_at(states: Tensor, bounds: Tensor) -> Tensor:
    """States at the first and last piece of each mention: [texts, mentions, 2 size]."""
    texts, mentions, _ = bounds.shape
    places = bounds.reshape(texts, -1, 1).expand(-1, -1, states.shape[2])
    return torch.gather(states, 1, places).reshape(texts, mentions, -1)
