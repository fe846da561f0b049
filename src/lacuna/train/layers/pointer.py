"""Pointers into a text, stacked: each reads what the one before it has read."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lacuna.train.layers.attention import LOWEST
from lacuna.train.layers.recurrent import BiGru, TextParts


class StackedPointer(nn.Module):
    """An RNN over the states of a text beside those of the pointer before, and a score a word."""

    def __init__(self, size: int, before_size: int, direction_size: int, dropout: float) -> None:
        super().__init__()
        self.rnn = BiGru(size + before_size, direction_size, dropout)
        self.size = self.rnn.size
        self.score = nn.Linear(self.size, 1)

    def forward(
        self, states: Tensor, before: Tensor | None, lengths: Tensor | TextParts, allowed: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Its own states [texts, words, size], and the scores [texts, words].

        ``allowed`` is [texts, words]: the words that it may point to.
        """
        whole = states if before is None else torch.cat([states, before], 2)
        read = self.rnn(whole, lengths)
        return read, self.score(read).squeeze(2).float().masked_fill(~allowed, LOWEST)


def pointer_loss(scores: Tensor, gold: Tensor) -> Tensor:
    """How unlikely the gold words are, all of them together: the mean over texts that have any.

    Both are [texts, words]. An answer may stand in several places, and each of them is right.
    """
    has = gold.any(1)  # [texts]
    if not bool(has.any()):
        return scores.sum() * 0
    right = scores[has].masked_fill(~gold[has], -torch.inf).logsumexp(1)
    return (scores[has].logsumexp(1) - right).mean()


def best_spans(
    start: Tensor, end: Tensor, paragraphs: Tensor, longest: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The best first and last word of each text, and how likely both are, all [texts].

    Scores are [texts, words]; a span stays in one of ``paragraphs`` [texts, words] and has at most
    ``longest`` words.
    """
    start, end = start.log_softmax(1), end.log_softmax(1)
    words = start.shape[1]
    by_length = []
    for more in range(min(longest, words)):
        both = start[:, : words - more] + end[:, more:]
        same = paragraphs[:, : words - more] == paragraphs[:, more:]
        both = both.masked_fill(~same, -torch.inf)
        by_length.append(nn.functional.pad(both, (0, more), value=-torch.inf))
    table = torch.stack(by_length, 2).flatten(1)  # [texts, words * lengths]
    best, place = table.max(1)
    first = place // len(by_length)
    return first, first + place % len(by_length), best.exp()
