"""One loss over all heads, masked where there is no label."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from lacuna.models.reader.heads import SIGNS, Columns, HeadKind
from lacuna.train.batches import Batch

NEVER = -1e4
"""The score of the impossible, low enough and still a number in half precision."""


def losses(per_token: Tensor, per_sequence: Tensor, batch: Batch) -> dict[str, Tensor]:
    """The loss of each head: a sum over the batch, and how many labels it is over.

    Returns pairs stacked in one tensor, so that batches can be added up.
    """
    per_token, per_sequence = per_token.float(), per_sequence.float()
    kinds, ways = per_sequence[:, Columns.KIND], ways_to_answer(per_token, per_sequence, batch)
    answer = -(kinds.log_softmax(1) + ways).logsumexp(1)
    parts = {"answer": summed(answer, batch.answered), "windows": _windows_loss(kinds, ways, batch)}
    for name, places, columns in (
        ("sentences", batch.sentences, Columns.SENTENCE),
        ("links", batch.links, Columns.LINK),
    ):
        scores = at_places(per_token, places, columns)
        known = places[..., 2] >= 0
        target = places[..., 2].clamp(min=0).float()
        each = functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
        per_instance = (each * known).sum(1) / known.sum(1).clamp(min=1)
        parts[name] = summed(per_instance, known.any(1))
    relevance = functional.binary_cross_entropy_with_logits(
        per_sequence[:, Columns.RELEVANCE], batch.relevance.clamp(min=0).float(), reduction="none"
    )
    parts["relevance"] = summed(relevance, batch.relevance >= 0)
    parts["choice"] = _choice_loss(per_sequence, batch)
    for name, act in (
        ("yes_no_act", Columns.YES_NO_ACT),
        ("follow_up_act", Columns.FOLLOW_UP_ACT),
    ):
        labels = getattr(batch, name)
        each = functional.cross_entropy(per_sequence[:, act], labels.clamp(min=0), reduction="none")
        parts[name] = summed(each, labels >= 0)
    return parts


def summed(each: Tensor, known: Tensor) -> Tensor:
    """The sum of the known values, and how many they are."""
    return torch.stack([torch.where(known, each, 0.0).sum(), known.sum().to(each.dtype)])


def at_places(per_token: Tensor, places: Tensor, columns: tuple[int, int]) -> Tensor:
    """Scores that are read at a first and a last token: [batch, places]."""
    first, last = places[..., 0].clamp(min=0), places[..., 1].clamp(min=0)
    return per_token[..., columns[0]].gather(1, first) + per_token[..., columns[1]].gather(1, last)


def span_log_probabilities(per_token: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """Log-probabilities of every start and every end: [batch, tokens] each."""
    start = per_token[..., Columns.START].masked_fill(~batch.readable, NEVER).log_softmax(1)
    end = per_token[..., Columns.END].masked_fill(~batch.readable, NEVER).log_softmax(1)
    return start, end


def sign_log_probabilities(per_token: Tensor, batch: Batch) -> Tensor:
    """Log-probabilities of 0, + and − for every number: [batch, numbers, 3]."""
    columns = Columns.SIGN
    scores = []
    for sign in range(len(SIGNS)):
        pair = columns[0].start + sign, columns[1].start + sign
        scores.append(at_places(per_token, batch.numbers, pair))
    return torch.stack(scores, -1).log_softmax(-1)


def ways_to_answer(per_token: Tensor, per_sequence: Tensor, batch: Batch) -> Tensor:
    """The log-likelihood of the gold answer by each kind, over all ways to give it so: [batch, 7].

    What it is worth as a whole depends on what a kind competes with: the others of its own input,
    or also those of other windows.
    """
    ways = torch.full_like(per_sequence[:, Columns.KIND], NEVER)

    start, end = span_log_probabilities(per_token, batch)
    at = batch.spans.clamp(min=0)
    span = start.gather(1, at[..., 0]) + end.gather(1, at[..., 1])  # [batch, spans]
    span = span.masked_fill(batch.spans[..., 0] < 0, NEVER)
    ways[:, HeadKind.SPAN] = span.logsumexp(1)

    tags = per_token[..., Columns.TAG].log_softmax(2)
    tag = tags.gather(2, batch.tags.unsqueeze(2)).squeeze(2) * batch.readable
    ways[:, HeadKind.SPANS] = torch.where(batch.tagged, tag.sum(1), NEVER)

    ways[:, HeadKind.NUMBER] = _derivations(sign_log_probabilities(per_token, batch), batch)

    count = per_sequence[:, Columns.COUNT].log_softmax(1)
    count = count.gather(1, batch.count.clamp(min=0).unsqueeze(1)).squeeze(1)
    ways[:, HeadKind.COUNT] = torch.where(batch.count >= 0, count, NEVER)

    for fixed in (HeadKind.YES, HeadKind.NO, HeadKind.NONE):
        ways[:, fixed] = torch.where(batch.fixed == fixed, 0.0, NEVER)
    return ways.clamp(min=NEVER)


def _windows_loss(kinds: Tensor, ways: Tensor, batch: Batch) -> Tensor:
    """The windows of a question compete: one answer of one window, or none of any, is right.

    An answer's odds against its window's none are comparable across windows, and so add up.
    """
    answers, none = slice(0, HeadKind.NONE), kinds[:, HeadKind.NONE]
    missing, rows = batch.rivals < 0, batch.rivals.clamp(min=0)
    anything = (kinds[:, answers].logsumexp(1) - none)[rows].masked_fill(missing, NEVER)
    gold = ((kinds + ways)[:, answers].logsumexp(1) - none)[rows]
    holds = (batch.answered & (batch.fixed != HeadKind.NONE))[rows] & ~missing
    nothing = torch.zeros_like(anything[:, :1])
    right = gold.masked_fill(~holds, NEVER).logsumexp(1)
    right = torch.where(holds.any(1), right, 0.0)
    each = torch.cat([nothing, anything], 1).logsumexp(1) - right
    return torch.stack([each.sum(), each.new_tensor(float(len(each)))])


def _derivations(signs: Tensor, batch: Batch) -> Tensor:
    """Each derivation gives signs to its terms and 0 to all other numbers."""
    zero = signs[..., 0]
    nothing = (zero * (batch.numbers[..., 0] >= 0)).sum(1)  # [batch]
    number, sign = batch.terms[..., 0], batch.terms[..., 1]  # [batch, derivations, terms]
    rows = torch.arange(len(signs), device=signs.device).view(-1, 1, 1)
    column = torch.where(sign == -1, SIGNS.index(-1), SIGNS.index(1))
    at = number.clamp(min=0)
    gain = signs[rows, at, column] - zero[rows, at]
    gain = (gain * (number >= 0)).sum(2)  # [batch, derivations]
    each = nothing.unsqueeze(1) + gain
    return each.masked_fill(number[..., 0] < 0, NEVER).logsumexp(1)


def choice_scores(per_sequence: Tensor, batch: Batch) -> Tensor:
    """Scores of the choices of each question, the right one first: [questions, choices]."""
    scores = per_sequence[:, Columns.CHOICE][batch.choices.clamp(min=0)]
    return scores.masked_fill(batch.choices < 0, NEVER)


def _choice_loss(per_sequence: Tensor, batch: Batch) -> Tensor:
    each = -choice_scores(per_sequence, batch).log_softmax(1)[:, 0]
    return torch.stack([each.sum(), each.new_tensor(float(len(each)))])
