"""GapQA's losses: the paper's (section 4.4), that of single lines, and that of key spans."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, one_hot

from lacuna.models.gapqa.rows import Part
from lacuna.train.gapqa.heads import NOTHING, GapScores
from lacuna.train.gapqa.labels import NONE_OF_THEM, UNKNOWN
from lacuna.train.gapqa.network import Rows
from lacuna.train.gapqa.recipe import GapRecipe


class Targets(NamedTuple):
    """Labels of a batch.

    ``right`` are the right choices as places among all choices of the batch, [questions];
    ``relations`` the relations of the right choice, [questions, relations], all zeros where none
    is known; ``spans`` first and last token of the key span, [questions, 2], -1 where not known;
    ``lines`` what each row of knowledge says, [rows], as ``line_labels``.
    """

    right: Tensor
    relations: Tensor
    spans: Tensor
    lines: Tensor


def answer_loss(recipe: GapRecipe, scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """The paper's loss, and besides it that of single lines."""
    relations = recipe.relation_weight * relation_loss(scores, asked, targets)
    lines = recipe.line_weight * line_loss(scores, targets)
    return choice_loss(scores, asked, targets) + relations + lines


def choice_loss(scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """Cross-entropy over the choices of each question."""
    questions = len(targets.right)
    others = torch.arange(questions, device=asked.device)[:, None] == asked[None, :]
    table = scores.choices[None, :].float().masked_fill(~others, NOTHING)  # [questions, choices]
    return cross_entropy(table, targets.right)


def relation_loss(scores: GapScores, asked: Tensor, targets: Targets) -> Tensor:
    """The right choice has its relations and no others; the wrong ones do not have these.

    Which other relations a wrong choice has is not known, so these do not count.
    """
    labels = targets.relations[asked]  # [choices, relations]
    known = labels.any(1)
    is_right = torch.zeros_like(asked, dtype=torch.bool)
    is_right[targets.right] = True
    wanted = labels * is_right[:, None]
    counts = known[:, None] * torch.where(is_right[:, None], torch.ones_like(labels), labels)
    each = binary_cross_entropy_with_logits(scores.relations.float(), wanted, reduction="none")
    of_choice = (each * counts).sum(1) / counts.sum(1).clamp(min=1)  # a mean over what is known
    return of_choice.sum() / (known & is_right).sum().clamp(min=1)


def line_loss(scores: GapScores, targets: Targets) -> Tensor:
    """A line that is a triple says its own relation, and no other."""
    known = targets.lines != UNKNOWN
    if not known.any():
        return scores.fact.new_zeros(())
    wanted = one_hot(targets.lines[known], NONE_OF_THEM + 1)[:, :NONE_OF_THEM].float()
    return binary_cross_entropy_with_logits(scores.lines[known].float(), wanted)


def span_loss(spans: Tensor | None, questions: Rows, targets: Targets) -> Tensor:
    """Cross-entropy of where the key span begins and ends in the fact."""
    if spans is None or not (targets.spans >= 0).any():
        return torch.zeros((), device=targets.spans.device)
    allowed = (questions.parts == Part.FACT)[:, :, None]
    table = spans.float().masked_fill(~allowed, NOTHING)  # [questions, tokens, 2]
    return cross_entropy(table, targets.spans, ignore_index=-1)
