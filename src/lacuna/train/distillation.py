"""What a student learns from a teacher's scores."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from lacuna.models.reader.heads import Columns
from lacuna.train.batches import Batch
from lacuna.train.loss import (
    at_places,
    choice_scores,
    sign_log_probabilities,
    span_log_probabilities,
    summed,
)


def distilled(
    student: tuple[Tensor, Tensor], teacher: tuple[Tensor, Tensor], batch: Batch, temperature: float
) -> dict[str, Tensor]:
    """How far the student is from the teacher, head by head: sums and counts, as in ``losses``."""
    ours, theirs = ([scores.float() for scores in both] for both in (student, teacher))
    kind = _divergence(ours[1][:, Columns.KIND], theirs[1][:, Columns.KIND], temperature)
    spans = torch.stack(
        [
            _divergence(a, b, temperature)
            for a, b in zip(
                span_log_probabilities(ours[0], batch),
                span_log_probabilities(theirs[0], batch),
                strict=True,
            )
        ]
    ).sum(0)
    spans = spans * (batch.spans[:, 0, 0] >= 0)
    signs = _divergence(
        sign_log_probabilities(ours[0], batch), sign_log_probabilities(theirs[0], batch), 1.0
    )
    signs = (signs * (batch.numbers[..., 0] >= 0)).sum(1)
    made = {"answer": summed(kind + spans + signs, batch.answered)}
    for name, places, columns in (
        ("sentences", batch.sentences, Columns.SENTENCE),
        ("links", batch.links, Columns.LINK),
    ):
        known = places[..., 2] >= 0
        target = at_places(theirs[0], places, columns).sigmoid()
        each = functional.binary_cross_entropy_with_logits(
            at_places(ours[0], places, columns), target, reduction="none"
        )
        made[name] = summed((each * known).sum(1) / known.sum(1).clamp(min=1), known.any(1))
    relevance = functional.binary_cross_entropy_with_logits(
        ours[1][:, Columns.RELEVANCE], theirs[1][:, Columns.RELEVANCE].sigmoid(), reduction="none"
    )
    made["relevance"] = summed(relevance, batch.relevance >= 0)
    choice = _divergence(
        choice_scores(ours[1], batch), choice_scores(theirs[1], batch), temperature
    )
    made["choice"] = torch.stack([choice.sum(), choice.new_tensor(float(len(choice)))])
    return made


def _divergence(ours: Tensor, theirs: Tensor, temperature: float) -> Tensor:
    """Kullback–Leibler over the last axis, scaled so that its gradients keep their size."""
    a = (ours / temperature).log_softmax(-1)
    b = (theirs / temperature).log_softmax(-1)
    return (b.exp() * (b - a)).sum(-1) * temperature**2
