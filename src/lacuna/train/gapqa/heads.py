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
"""The score of what is masked; as low as half precision allows."""


MaskedStates = tuple[Tensor, Tensor]
"""The states of a row, [rows, tokens, size], and the mask of one of its parts, [rows, tokens]."""


def weighted(
    seen: Tensor, seen_mask: Tensor, read: Tensor, read_mask: Tensor, scale: float
) -> Tensor:
    """The mean of ``read``, its tokens weighted by how close they are to a token of ``seen``.

    States are [rows, tokens, size], masks [rows, tokens]; the two may be the same row's.
    """
    likeness = torch.matmul(read, seen.transpose(1, 2)) * scale  # [rows, read tokens, seen tokens]
    likeness = likeness.masked_fill(~seen_mask[:, None, :], NOTHING)
    # Lower still, so that nothing else is read where nothing at all is seen.
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
    """The network's scores.

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
        stated, choices = self.relation(seen.lines), len(seen.fact)  # [rows, relation]
        pooled = stated.new_zeros(choices, RELATION).index_add(0, seen.choice_of, stated)
        lines = torch.bincount(seen.choice_of, minlength=choices).clamp(min=1)
        pooled = pooled / lines[:, None].to(pooled.dtype)
        scores = self.score(seen.fact, seen.composable[seen.asked], pooled, stated)
        if not knowledge:
            scores = scores._replace(relation=torch.zeros_like(scores.fact))
        return scores

    def score(self, fact: Tensor, composable: Tensor, pooled: Tensor, stated: Tensor) -> GapScores:
        """The scores of choices; ``stated`` is what each line states, ``pooled`` the average of a
        choice's lines."""
        both = torch.cat([composable.to(pooled.dtype), pooled], -1)
        # Named together, since a layer that is used twice cannot be exported.
        named, choices = self.relation_names(torch.cat([pooled, stated])), pooled.shape[0]
        return GapScores(
            self.fact(fact)[:, 0], self.composed(both)[:, 0], named[:choices], named[choices:]
        )


def fact_features(
    question: MaskedStates, choice: MaskedStates, fact: MaskedStates, scale: float
) -> Tensor:
    """How the fact connects the question and the choice: [rows, 2 * size]."""
    by_question, by_choice = weighted(*question, *fact, scale), weighted(*choice, *fact, scale)
    return compared((by_question + by_choice) / 2, mean(*fact))


def choice_features(question: MaskedStates, choice: MaskedStates, scale: float) -> Tensor:
    """For the baseline without a fact, how question and choice go together: [rows, 2 * size]."""
    by_choice = weighted(*choice, *question, scale)
    return compared(by_choice, weighted(*question, *choice, scale))


def line_features(
    span: MaskedStates, choice: MaskedStates, line: MaskedStates, scale: float
) -> Tensor:
    """What a line of knowledge states about span and choice: [rows, 2 * size]."""
    return compared(weighted(*span, *line, scale), weighted(*choice, *line, scale))


def composable(question: MaskedStates, fact: MaskedStates) -> Tensor:
    """What can be composed with the fact to answer the question: [rows, 2 * size]."""
    return compared(largest(*question), largest(*fact))
