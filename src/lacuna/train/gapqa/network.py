"""GapQA's network: an encoder of rows, and the heads over it."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lacuna.models.gapqa.question_rows import Shown
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part
from lacuna.train.gapqa.encoders import RowEncoder
from lacuna.train.gapqa.heads import (
    Features,
    GapHeads,
    GapScores,
    MaskedStates,
    choice_features,
    composable,
    fact_features,
    line_features,
)


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


class GapNetwork(nn.Module):
    """Scores of choices, relations and spans.

    Likenesses of a transformer's states are divided by the root of their size: the states are
    long, and a softmax over their plain products would see one token only.
    """

    def __init__(self, encoder: RowEncoder, shown: Shown) -> None:
        super().__init__()
        self.encoder = encoder
        self.shown = shown
        self.scale = 1 / math.sqrt(encoder.size) if encoder.scaled else 1.0
        self.heads = GapHeads(encoder.size, len(DIRECTIONS))

    def forward(self, batch: GapBatch) -> tuple[GapScores, Tensor | None]:
        """The scores of a batch, and where key spans begin and end: [questions, tokens, 2]."""
        features, spans = self.read(batch)
        return self.heads(features, knowledge=self.shown.knowledge), spans

    def read(self, batch: GapBatch) -> tuple[Features, Tensor | None]:
        """What the heads get to see of a batch, and where key spans begin and end."""
        states, questions = self.encoder(*batch.rows), len(batch.questions.ids)
        asked = states[:questions]
        rows = Rows(batch.rows.ids[questions:], batch.rows.parts[questions:])
        of_choices = self.fact(states[questions:], rows)
        lines = [self.line(self.encoder(*block), block) for block in batch.knowledge]
        features = Features(
            of_choices,
            self.composable(asked, batch.questions),
            torch.cat(lines) if lines else of_choices[:0],
            batch.asked,
            batch.choice_of,
        )
        return features, self.encoder.span_scores(asked)

    def composable(self, states: Tensor, questions: Rows) -> Tensor:
        """What the heads see of questions beside their fact, by the states of their rows."""
        question, fact = (_part(states, questions, part) for part in (Part.QUESTION, Part.FACT))
        return composable(question, fact)

    def spans(self, questions: Rows) -> Tensor | None:
        """Where the key span begins and ends, and nothing else."""
        return self.encoder.span_scores(self.encoder(*questions))

    def fact(self, states: Tensor, choices: Rows) -> Tensor:
        """What the heads see of choices beside the fact, by the states of their rows."""
        question, choice = (_part(states, choices, part) for part in (Part.QUESTION, Part.CHOICE))
        if not self.shown.fact:
            return choice_features(question, choice, self.scale)
        return fact_features(question, choice, _part(states, choices, Part.FACT), self.scale)

    def line(self, states: Tensor, rows: Rows) -> Tensor:
        """What the heads see of lines of knowledge, by the states of their rows."""
        span, choice = (_part(states, rows, part) for part in (Part.SPAN, Part.CHOICE))
        return line_features(span, choice, _part(states, rows, Part.KNOWLEDGE), self.scale)


def _part(states: Tensor, rows: Rows, part: Part) -> MaskedStates:
    return states, rows.parts == part
