"""Attention between a context and a question, and of a context to itself."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lacuna.train.layers.dropout import same_dropout

LOWEST = -1e4
"""What stands for minus infinity; half precision holds it as well."""


class TrilinearScores(nn.Module):
    """How much a word of one text has to do with a word of another: a · x + b · y + c · (x * y)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.of_first = nn.Linear(size, 1, bias=False)
        self.of_second = nn.Linear(size, 1, bias=False)
        self.of_both = nn.Parameter(torch.empty(size).uniform_(-1, 1) / size**0.5)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """[texts, m, size] and [texts, n, size] to [texts, m, n]."""
        alone = self.of_first(first) + self.of_second(second).transpose(1, 2)  # [texts, m, n]
        return alone + (first * self.of_both) @ second.transpose(1, 2)


class BiAttention(nn.Module):
    """Context to question and question to context; the output is four times as wide."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.scores = TrilinearScores(size)
        self.dropout = dropout
        self.size = 4 * size

    def forward(
        self, context: Tensor, question: Tensor, context_mask: Tensor, question_mask: Tensor
    ) -> Tensor:
        """Masks are [texts, words], True where there is a word."""
        context = same_dropout(context, self.dropout, training=self.training)
        question = same_dropout(question, self.dropout, training=self.training)
        scores = self.scores(context, question)  # [texts, context words, question words]
        scores = scores.masked_fill(~question_mask[:, None], LOWEST)
        asked = scores.softmax(2) @ question  # [texts, context words, size]
        best = scores.max(2).values.masked_fill(~context_mask, LOWEST)  # [texts, context words]
        whole = best.softmax(1)[:, None] @ context  # [texts, 1, size]
        return torch.cat([context, asked, context * asked, whole * asked], 2)


class ResidualSelfAttention(nn.Module):
    """Each word of a context looks at all others; what it finds is added to its own state."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.scores = TrilinearScores(size)
        self.project = nn.Linear(3 * size, size)
        self.dropout = dropout

    def forward(self, states: Tensor, read: Tensor, mask: Tensor) -> Tensor:
        """[texts, words, size] to the same shape; ``read`` is what an RNN made of the states."""
        read = same_dropout(read, self.dropout, training=self.training)
        scores = self.scores(read, read)  # [texts, words, words]
        itself = torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)
        scores = scores.masked_fill(itself | ~mask[:, None], LOWEST)
        others = scores.softmax(2) @ read  # [texts, words, size]
        return states + self.project(torch.cat([read, others, read * others], 2)).relu()
