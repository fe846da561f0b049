"""QuAC's BiDAF++ with k-ctx: earlier answers marked, and dialog acts where the answer ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lacuna.train.layers.pointer import StackedPointer, pointer_loss
from lacuna.train.layers.word_embedding import few_vectors
from lacuna.train.papers.batch import NOWHERE, TextBatch, text_part
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.quac.example import (
    FOLLOW_UP,
    LAST_TURN,
    UNKNOWN_ACT,
    YES_NO,
    DialogExample,
    Marker,
)
from lacuna.train.papers.quac.recipe import DialogRecipe
from lacuna.train.papers.reading_body import ReadingBody
from lacuna.train.papers.tokens import TokenArrays, padded

MARKER_SIZE = 10
"""Beside each word, for each earlier turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogBatch(TextBatch):
    """Questions within dialogs."""

    markers: Tensor
    """[texts, words, earlier turns]"""
    turns: Tensor
    """[texts]"""
    acts: Tensor
    """[texts, 2]"""


class DialogScores(NamedTuple):
    """Scores before any softmax."""

    start: Tensor
    """[texts, words]"""
    end: Tensor
    end_states: Tensor
    """[texts, words, size]: what the scores of the end come from."""


class DialogNetwork(nn.Module):
    """Start, end, and the acts from the state at the end."""

    def __init__(
        self, recipe: DialogRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        hidden, dropout, extra = recipe.hidden, recipe.dropout, MARKER_SIZE * recipe.history
        self.act_weight = recipe.act_weight
        self.markers = nn.ModuleList(
            nn.Embedding(len(Marker), MARKER_SIZE) for _ in range(recipe.history)
        )
        self.turns = nn.Embedding(LAST_TURN + 1, extra) if extra else None
        self.body = ReadingBody(recipe, vectors, encoder, extra)
        size = self.body.size
        self.start = StackedPointer(size, 0, hidden, dropout)
        self.end = StackedPointer(size, self.start.size, hidden, dropout)
        self.yes_no = nn.Linear(self.end.size, len(YES_NO))
        self.follow_up = nn.Linear(self.end.size, len(FOLLOW_UP))

    def forward(self, batch: DialogBatch) -> DialogScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch, *self._beside(batch))  # [texts, words, size]
        start_states, start = self.start(states, None, lengths, allowed)
        end_states, end = self.end(states, start_states, lengths, allowed)
        return DialogScores(start, end, end_states)

    def _beside(self, batch: DialogBatch) -> tuple[Tensor | None, Tensor | None]:
        """What stands beside the words of section and question: markers, and the turn's number."""
        if self.turns is None:
            return None, None
        marked = [
            few_vectors(marker, batch.markers[:, :, turn])
            for turn, marker in enumerate(self.markers)
        ]
        turn = self.turns(batch.turns)[:, None]  # [texts, 1, extra]
        return torch.cat(marked, 2), turn.expand(-1, batch.question.shape[1], -1)

    def acts(self, end_states: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of yes/no and of follow-up, each [texts, 3], for answers that end there."""
        at = end_states[torch.arange(len(ends), device=ends.device), ends]  # [texts, size]
        return self.yes_no(at).float(), self.follow_up(at).float()

    def loss(self, batch: DialogBatch) -> Tensor:
        """Of start and end, and of the acts that are known."""
        scores = self(batch)
        loss = pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)
        acts = self.acts(scores.end_states, batch.ends.int().argmax(1))
        for number, given in enumerate(acts):
            wanted = batch.acts[:, number].masked_fill(~batch.ends.any(1), UNKNOWN_ACT)
            if self.act_weight and bool((wanted != UNKNOWN_ACT).any()):
                loss = loss + self.act_weight * nn.functional.cross_entropy(given, wanted)
        return loss


def dialog_batch(examples: Sequence[DialogExample], tokens: TokenArrays) -> DialogBatch:
    """Several examples as tensors."""
    markers = padded([example.markers for example in examples], Marker.OUTSIDE)
    return DialogBatch(
        **text_part(examples, tokens),
        markers=torch.from_numpy(markers).long(),
        turns=torch.tensor([example.turn for example in examples]),
        acts=torch.tensor([example.acts for example in examples]),
    )
