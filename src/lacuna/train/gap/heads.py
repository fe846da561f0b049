"""GapQA's heads (Khot et al. 2019, section 4.3), over the token states of any encoder."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

HIDDEN = 200
RELATION = 100
"""Units of a feed-forward network's first layer, and of a relation's representation."""
DROPOUT = 0.5
NOTHING = -1e4
"""A score for what is masked; as low as half precision allows for."""


def weighted(
    seen: Tensor, seen_mask: Tensor, read: Tensor, read_mask: Tensor, scale: float
) -> Tensor:
    """``read`` as a mean of its tokens, the more of each the closer it is to a token of ``seen``.

    States are [rows, tokens, size], masks [rows, tokens]; the two may be the same row's.
    """
    likeness = torch.matmul(read, seen.transpose(1, 2)) * scale  # [rows, read tokens, seen tokens]
    likeness = likeness.masked_fill(~seen_mask[:, None, :], NOTHING)
    closest = likeness.amax(2).masked_fill(~read_mask, NOTHING)  # [rows, read tokens]
    return torch.matmul(closest.softmax(1)[:, None, :], read)[:, 0]  # [rows, size]


def compared(first: Tensor, second: Tensor) -> Tensor:
    """Two vectors as one that tells how they differ: [x - y; x * y]."""
    return torch.cat([first - second, first * second], -1)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of a row's own tokens."""
    share = mask.to(states.dtype)[:, :, None]
    return (states * share).sum(1) / share.sum(1).clamp(min=1)


def largest(states: Tensor, mask: Tensor) -> Tensor:
    """The largest value in each dimension among a row's own tokens."""
    return states.masked_fill(~mask[:, :, None], NOTHING).amax(1)


def two_layers(size: int, out: int) -> nn.Sequential:
    """The paper's feed-forward network."""
    return nn.Sequential(
        nn.Linear(size, HIDDEN), nn.ReLU(), nn.Dropout(DROPOUT), nn.Linear(HIDDEN, out)
    )


class GapHeads(nn.Module):
    """Fact relevance and relation prediction.

    ``size`` is that of the states. ``scaled`` divides likenesses by its square root: a
    transformer's states are long, and a softmax over their plain products would see one token only.
    """

    def __init__(self, size: int, relations: int, *, scaled: bool) -> None:
        super().__init__()
        self.scale = 1 / math.sqrt(size) if scaled else 1.0
        self.fact = two_layers(2 * size, 1)
        self.relation = two_layers(2 * size, RELATION)
        self.relation_names = nn.Linear(RELATION, relations)
        self.composed = two_layers(2 * size + RELATION, 1)

    def fact_relevance(self, question: Parted, choice: Parted, fact: Parted) -> Tensor:
        """How well the fact links the question and the choice: [rows]."""
        by_question = weighted(*question, *fact, self.scale)
        by_choice = weighted(*choice, *fact, self.scale)
        both = (by_question + by_choice) / 2
        return torch.as_tensor(self.fact(compared(both, mean(*fact)))[:, 0])

    def choice_relevance(self, question: Parted, choice: Parted) -> Tensor:
        """The baseline without a fact, how well question and choice go together: [rows]."""
        by_choice = weighted(*choice, *question, self.scale)
        by_question = weighted(*question, *choice, self.scale)
        return torch.as_tensor(self.fact(compared(by_choice, by_question))[:, 0])

    def relation_of(self, span: Parted, choice: Parted, line: Parted) -> Tensor:
        """What a line of knowledge says of the two: [rows, relation]."""
        by_span = weighted(*span, *line, self.scale)
        by_choice = weighted(*choice, *line, self.scale)
        return torch.as_tensor(self.relation(compared(by_span, by_choice)))

    def composable(self, question: Parted, fact: Parted) -> Tensor:
        """What can be composed with the fact to answer the question: [rows, 2 * size]."""
        return compared(largest(*question), largest(*fact))

    def relation_score(self, composable: Tensor, relation: Tensor) -> Tensor:
        """How well the relation of a choice composes with the fact: [rows]."""
        return torch.as_tensor(self.composed(torch.cat([composable, relation], -1))[:, 0])


Parted = tuple[Tensor, Tensor]
"""The states of a row and the mask of one of its parts."""
