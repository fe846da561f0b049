"""How likely NumNet+ finds the gold answer, by every way that gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from lacuna.train.papers.iirc.numnet.example import NumNetBatch
from lacuna.train.papers.iirc.numnet.kinds import UNKNOWN, AnswerWay
from lacuna.train.papers.iirc.numnet.reading import QUESTION

if TYPE_CHECKING:
    from lacuna.train.papers.iirc.numnet.network import NumNetScores

IMPOSSIBLE = -1e7
"""The logarithm of a chance that is none, with a gradient of zero and no NaN."""


def answer_likelihood(scores: NumNetScores, batch: NumNetBatch) -> Tensor:
    """The logarithm of the chance of the gold answer: [texts]."""
    ways = scores.ways.log_softmax(1)
    by_way = torch.full_like(ways, IMPOSSIBLE)
    in_question = batch.parts.gather(1, batch.spans[:, :, 0]) == QUESTION  # [texts, spans]
    by_way[:, AnswerWay.SPAN] = _spans(
        scores.start, scores.end, batch.spans, batch.span_mask & ~in_question
    )
    by_way[:, AnswerWay.QUESTION_SPAN] = _spans(
        scores.asked_start, scores.asked_end, batch.spans, batch.span_mask & in_question
    )
    by_way[:, AnswerWay.SPANS] = _tags(scores.tags, batch)
    by_way[:, AnswerWay.COUNT] = _labelled(scores.counts, batch.counts)
    by_way[:, AnswerWay.ARITHMETIC] = _signs(scores.signs, batch)
    by_way[:, AnswerWay.BINARY] = _labelled(scores.binary, batch.binary)
    by_way[:, AnswerWay.NONE] = torch.where(batch.none, 0.0, IMPOSSIBLE)
    return (ways + by_way).logsumexp(1)


def _spans(start: Tensor, end: Tensor, spans: Tensor, mask: Tensor) -> Tensor:
    """Any of the spans: [texts]."""
    begins = start.log_softmax(1).gather(1, spans[:, :, 0])  # [texts, spans]
    ends = end.log_softmax(1).gather(1, spans[:, :, 1])
    return (begins + ends).masked_fill(~mask, IMPOSSIBLE).logsumexp(1)


def _tags(tags: Tensor, batch: NumNetBatch) -> Tensor:
    """All pieces of texts have their tags: [texts]."""
    each = tags.log_softmax(2).gather(2, batch.tags[:, :, None]).squeeze(2)  # [texts, pieces]
    likely = (each * (batch.parts > QUESTION)).sum(1)
    return likely.masked_fill(~batch.has_tags, IMPOSSIBLE)


def _signs(signs: Tensor, batch: NumNetBatch) -> Tensor:
    """Any of the calculations, all numbers of texts with their signs: [texts]."""
    log = signs.log_softmax(2)  # [texts, numbers, 3]
    ways = batch.signs.shape[1]
    wide = log[:, None].expand(-1, ways, -1, -1)
    each = wide.gather(3, batch.signs[:, :, :, None]).squeeze(3)  # [texts, calculations, numbers]
    added = (batch.number_mask & ~batch.asked_numbers)[:, None]
    likely = (each * added).sum(2)
    return likely.masked_fill(~batch.sign_mask, IMPOSSIBLE).logsumexp(1)


def _labelled(scores: Tensor, labels: Tensor) -> Tensor:
    """One of several: [texts]."""
    likely = scores.log_softmax(1).gather(1, labels.clamp(min=0)[:, None]).squeeze(1)
    return likely.masked_fill(labels == UNKNOWN, IMPOSSIBLE)
