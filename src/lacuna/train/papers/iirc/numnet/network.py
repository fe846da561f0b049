"""NumNet+ (Ran et al. 2019) as IIRC's paper uses it, over any pretrained encoder."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from lacuna.train.layers.attention import LOWEST
from lacuna.train.layers.recurrent import BiGru
from lacuna.train.network import SURE_OF_OUTSIDE
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.iirc.numnet.example import NumNetBatch
from lacuna.train.papers.iirc.numnet.graph import NumberGraph, comparisons
from lacuna.train.papers.iirc.numnet.kinds import BINARY, COUNTS, OUTSIDE, SIGNS, AnswerWay
from lacuna.train.papers.iirc.numnet.likelihood import answer_likelihood
from lacuna.train.papers.iirc.numnet.reading import QUESTION
from lacuna.train.papers.iirc.recipes import NumNetRecipe

LAYERS = 4
"""The encoder's last layers; each head reads two of them."""
TAGS = 3


class NumNetScores(NamedTuple):
    """Scores before any softmax; what is impossible has the lowest."""

    ways: Tensor
    """[texts, ways]"""
    start: Tensor
    """[texts, pieces], in texts."""
    end: Tensor
    asked_start: Tensor
    """[texts, pieces], in the question."""
    asked_end: Tensor
    tags: Tensor
    """[texts, pieces, 3]"""
    counts: Tensor
    """[texts, 10]"""
    signs: Tensor
    """[texts, numbers, 3]"""
    binary: Tensor
    """[texts, 2]"""


class FeedForward(nn.Sequential):
    """Two layers with dropout between them."""

    def __init__(self, given: int, hidden: int, out: int, dropout: float) -> None:
        super().__init__(
            nn.Linear(given, hidden), nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden, out)
        )


class NumNet(nn.Module):
    """Reads, lets numbers compare themselves, reads on, and answers in the likeliest way."""

    def __init__(self, recipe: NumNetRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        size, dropout = encoder.size, recipe.dropout
        self.encoder = encoder
        self.graph = NumberGraph(size, recipe.steps)
        self.before = nn.LayerNorm(size)
        self.rnn = BiGru(size, size // 2, dropout)
        self.after = nn.LayerNorm(size)
        self.of_texts = nn.Linear(size, 1)
        self.of_question = nn.Linear(size, 1)
        self.ways = FeedForward(3 * size, size, len(AnswerWay), dropout)
        self.counts = FeedForward(3 * size, size, COUNTS, dropout)
        self.binary = FeedForward(3 * size, size, len(BINARY), dropout)
        self.signs = FeedForward(5 * size, size, len(SIGNS), dropout)
        self.start = FeedForward(3 * size, size, 1, dropout)
        self.end = FeedForward(3 * size, size, 1, dropout)
        self.asked_start = FeedForward(3 * size, size, 1, dropout)
        self.asked_end = FeedForward(3 * size, size, 1, dropout)
        self.tags = FeedForward(2 * size, size, TAGS, dropout)
        with torch.no_grad():
            self.signs[-1].bias[SIGNS.index(0)] = SURE_OF_OUTSIDE
            self.tags[-1].bias[OUTSIDE] = SURE_OF_OUTSIDE

    def forward(self, batch: NumNetBatch) -> NumNetScores:
        in_texts, in_question = batch.parts > QUESTION, batch.parts == QUESTION
        first, second, main, last = self._states(batch)  # each [texts, pieces, size]
        texts = _summary(main, self.of_texts(main), in_texts)  # [texts, size]
        question = _summary(main, self.of_question(main), in_question)
        whole = torch.cat([texts, question, main[:, 0]], 1)  # [texts, 3 size]
        numbers = _at(torch.cat([main, last], 2), batch.number_places)
        about = whole[:, None].expand(-1, numbers.shape[1], -1)
        starts, ends = torch.cat([main, first], 2), torch.cat([main, second], 2)
        return NumNetScores(
            _possible(self.ways(whole), batch),
            _masked(self.start, starts, question, in_texts),
            _masked(self.end, ends, question, in_texts),
            _masked(self.asked_start, starts, texts, in_question),
            _masked(self.asked_end, ends, texts, in_question),
            self.tags(torch.cat([main, last], 2)),
            self.counts(whole),
            self.signs(torch.cat([numbers, about], 2)),
            self.binary(whole),
        )

    def loss(self, batch: NumNetBatch) -> Tensor:
        """How unlikely the answer is, by all ways to it together."""
        return -answer_likelihood(self(batch), batch).mean()

    def _states(self, batch: NumNetBatch) -> list[Tensor]:
        """The encoder's last layers, after numbers have told each other how they compare."""
        layers = self.encoder.layers(batch.ids, batch.mask, LAYERS)
        edges = comparisons(batch.number_values, batch.asked_numbers, batch.number_mask)
        nodes = self.graph(_at(layers[2], batch.number_places), edges)  # [texts, numbers, size]
        nodes = nodes * batch.number_mask[:, :, None]
        places = batch.number_places[:, :, None].expand_as(nodes)
        told = torch.zeros_like(layers[2]).scatter_add(1, places, nodes)
        # All layers go through one RNN, and together: it is slow to begin, not to be wide.
        states = self.before(torch.cat([layer + told for layer in layers]))
        read = self.rnn(states, batch.piece_lengths.repeat(LAYERS))
        return list(self.after(states + read).chunk(LAYERS))


def _at(states: Tensor, places: Tensor) -> Tensor:
    """The states at some pieces: [texts, places, size]."""
    return states.gather(1, places[:, :, None].expand(-1, -1, states.shape[2]))


def _summary(states: Tensor, scores: Tensor, mask: Tensor) -> Tensor:
    """The mean of some states, each as much as its score says; zeros of none: [texts, size]."""
    weights = scores.squeeze(2).masked_fill(~mask, LOWEST).softmax(1) * mask
    return torch.einsum("tp,tps->ts", weights, states)


def _masked(head: nn.Module, states: Tensor, summary: Tensor, mask: Tensor) -> Tensor:
    """A score for each piece that a span may have, the lowest for others: [texts, pieces]."""
    beside = summary[:, None].expand(-1, states.shape[1], -1)
    scores: Tensor = head(torch.cat([states, beside], 2)).squeeze(2)
    return scores.masked_fill(~mask, LOWEST)


def _possible(ways: Tensor, batch: NumNetBatch) -> Tensor:
    """Without a number or a text, some ways lead nowhere."""
    of_texts = batch.number_mask & ~batch.asked_numbers
    no_numbers = of_texts.sum(1) < 2  # the hundred alone
    no_texts = ~(batch.parts > QUESTION).any(1)
    impossible = torch.zeros_like(ways, dtype=torch.bool)
    impossible[:, AnswerWay.ARITHMETIC] = no_numbers
    impossible[:, AnswerWay.SPAN] = no_texts
    impossible[:, AnswerWay.SPANS] = no_texts
    return ways.masked_fill(impossible, LOWEST)
