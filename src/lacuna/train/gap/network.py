"""GapQA's network: an encoder of rows, and the heads over it."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from lacuna.gap.question_rows import Shown
from lacuna.gap.rows import Part
from lacuna.spot.relations import DIRECTIONS
from lacuna.train.gap.encoders import RowEncoder
from lacuna.train.gap.heads import RELATION, GapHeads, Parted


class Rows(NamedTuple):
    """Rows of a batch, [rows, tokens] each."""

    ids: Tensor
    parts: Tensor


class GapBatch(NamedTuple):
    """Some questions. Knowledge comes in blocks of rows of like length, to pad little.

    ``rows`` has a row for each question, then one for each choice. ``asked`` says which question
    each choice belongs to, ``choice_of`` which choice each row of knowledge (over all blocks)
    belongs to, ``order`` which line of the whole batch it is.
    """

    rows: Rows
    asked: Tensor
    knowledge: list[Rows]
    choice_of: Tensor
    order: Tensor

    @property
    def questions(self) -> Rows:
        """The rows of the questions."""
        size = len(self.rows.ids) - len(self.asked)
        return Rows(self.rows.ids[:size], self.rows.parts[:size])


class GapScores(NamedTuple):
    """What the network says.

    ``fact`` and ``relation`` are the two scores of each choice, [choices]; ``relations`` the
    relations of each choice and ``lines`` those of each row of knowledge, before the sigmoid;
    ``spans`` where the key span begins and ends, [questions, tokens, 2].
    """

    fact: Tensor
    relation: Tensor
    relations: Tensor
    lines: Tensor
    spans: Tensor | None

    @property
    def choices(self) -> Tensor:
        """The final score of each choice."""
        return self.fact + self.relation


class GapNetwork(nn.Module):
    """Scores of choices, relations and spans."""

    def __init__(self, encoder: RowEncoder, shown: Shown) -> None:
        super().__init__()
        self.encoder = encoder
        self.shown = shown
        self.heads = GapHeads(encoder.size, len(DIRECTIONS), scaled=encoder.scaled)

    def forward(self, batch: GapBatch) -> GapScores:
        """Score a batch."""
        states, questions = self.encoder(*batch.rows), len(batch.questions.ids)
        asked = states[:questions]
        composable = self.heads.composable(
            _part(asked, batch.questions, Part.QUESTION), _part(asked, batch.questions, Part.FACT)
        )[batch.asked]  # [choices, 2 * size]
        fact = self._fact(
            states[questions:], Rows(batch.rows.ids[questions:], batch.rows.parts[questions:])
        )
        zeros = torch.zeros_like(fact)
        if self.shown.knowledge:
            said = torch.cat([self._said(rows) for rows in batch.knowledge])  # [rows, relation]
            pooled = said.new_zeros(len(zeros), RELATION).index_add(0, batch.choice_of, said)
            lines = torch.bincount(batch.choice_of, minlength=len(zeros)).clamp(min=1)
            pooled = pooled / lines[:, None]
            relation = self.heads.relation_score(composable, pooled)
        else:
            said, pooled = zeros.new_zeros(0, RELATION), zeros.new_zeros(len(zeros), RELATION)
            relation = zeros
        return GapScores(
            fact,
            relation,
            self.heads.relation_names(pooled),
            self.heads.relation_names(said),
            self.encoder.span_scores(asked),
        )

    def spans(self, questions: Rows) -> Tensor | None:
        """Where the key span begins and ends, and nothing else."""
        return self.encoder.span_scores(self.encoder(*questions))

    def _fact(self, states: Tensor, choices: Rows) -> Tensor:
        question, choice = (_part(states, choices, part) for part in (Part.QUESTION, Part.CHOICE))
        if not self.shown.fact:
            return self.heads.choice_relevance(question, choice)
        return self.heads.fact_relevance(question, choice, _part(states, choices, Part.FACT))

    def _said(self, rows: Rows) -> Tensor:
        states = self.encoder(*rows)
        parts = (_part(states, rows, part) for part in (Part.SPAN, Part.CHOICE, Part.KNOWLEDGE))
        return self.heads.relation_of(*parts)


def _part(states: Tensor, rows: Rows, part: Part) -> Parted:
    return states, rows.parts == part
