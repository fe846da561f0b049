"""GapQA's heads (Khot et al. 2019, section 4.3), over the token states of any encoder."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

HIDDEN = 200
RELATION = 100
"""Units of a feed-forward network's first layer, and of a relation's representation."""
DROPOUT = 0.5
NOTHING = -1e4
"""A score for what is masked; as low as half precision allows for."""


Parted = tuple[Tensor, Tensor]
"""The states of a row, [rows, tokens, size], and the mask of one of its parts, [rows, tokens]."""


def weighted(
    seen: Tensor, seen_mask: Tensor, read: Tensor, read_mask: Tensor, scale: float
) -> Tensor:
    """``read`` as a mean of its tokens, the more of each the closer it is to a token of ``seen``.

    States are [rows, tokens, size], masks [rows, tokens]; the two may be the same row's.
    """
    likeness = torch.matmul(read, seen.transpose(1, 2)) * scale  # [rows, read tokens, seen tokens]
    likeness = likeness.masked_fill(~seen_mask[:, None, :], NOTHING)
    # Lower still, so that nothing is read elsewhere where nothing at all is seen.
    closest = likeness.amax(2).masked_fill(~read_mask, 2 * NOTHING)  # [rows, read tokens]
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


class Features(NamedTuple):
    """What the heads see of a batch: all that depends on the encoder, and nothing of the heads.

    ``fact`` is [choices, 2 * size], ``composable`` [questions, 2 * size], ``lines`` [rows of
    knowledge, 2 * size]; ``asked`` says which question each choice belongs to, ``choice_of`` which
    choice each row of knowledge belongs to.
    """

    fact: Tensor
    composable: Tensor
    lines: Tensor
    asked: Tensor
    choice_of: Tensor


class GapScores(NamedTuple):
    """What the network says.

    ``fact`` and ``relation`` are the two scores of each choice, [choices]; ``relations`` the
    relations of each choice and ``lines`` those of each row of knowledge, before the sigmoid.
    """

    fact: Tensor
    relation: Tensor
    relations: Tensor
    lines: Tensor

    @property
    def choices(self) -> Tensor:
        """The final score of each choice."""
        return self.fact + self.relation


class GapHeads(nn.Module):
    """Fact relevance and relation prediction over states of that size."""

    def __init__(self, size: int, relations: int) -> None:
        super().__init__()
        self.fact = two_layers(2 * size, 1)
        self.relation = two_layers(2 * size, RELATION)
        self.relation_names = nn.Linear(RELATION, relations)
        self.composed = two_layers(2 * size + RELATION, 1)

    def forward(self, seen: Features, *, knowledge: bool) -> GapScores:
        """Score the choices of a batch; without knowledge by the fact alone."""
        said, choices = self.relation(seen.lines), len(seen.fact)  # [rows, relation]
        pooled = said.new_zeros(choices, RELATION).index_add(0, seen.choice_of, said)
        lines = torch.bincount(seen.choice_of, minlength=choices).clamp(min=1)
        pooled = pooled / lines[:, None].to(pooled.dtype)
        scores = self.judged(seen.fact, seen.composable[seen.asked], pooled, said)
        if not knowledge:
            scores = scores._replace(relation=torch.zeros_like(scores.fact))
        return scores

    def judged(self, fact: Tensor, composable: Tensor, pooled: Tensor, said: Tensor) -> GapScores:
        """The scores of choices; ``pooled`` is what their lines say on average."""
        both = torch.cat([composable.to(pooled.dtype), pooled], -1)
        # Named together: the export stumbles over a layer that is used twice.
        named, choices = self.relation_names(torch.cat([pooled, said])), pooled.shape[0]
        return GapScores(
            self.fact(fact)[:, 0], self.composed(both)[:, 0], named[:choices], named[choices:]
        )


def fact_features(question: Parted, choice: Parted, fact: Parted, scale: float) -> Tensor:
    """How the fact links the question and the choice: [rows, 2 * size]."""
    by_question, by_choice = weighted(*question, *fact, scale), weighted(*choice, *fact, scale)
    return compared((by_question + by_choice) / 2, mean(*fact))


def choice_features(question: Parted, choice: Parted, scale: float) -> Tensor:
    """For the baseline without a fact, how question and choice go together: [rows, 2 * size]."""
    by_choice = weighted(*choice, *question, scale)
    return compared(by_choice, weighted(*question, *choice, scale))


def line_features(span: Parted, choice: Parted, line: Parted, scale: float) -> Tensor:
    """What a line of knowledge says of span and choice: [rows, 2 * size]."""
    return compared(weighted(*span, *line, scale), weighted(*choice, *line, scale))


def composable(question: Parted, fact: Parted) -> Tensor:
    """What can be composed with the fact to answer the question: [rows, 2 * size]."""
    return compared(largest(*question), largest(*fact))
