"""Train-medium: what a model answers rightly and with little loss, in three folds.

The paper trained a model three times, each time on two thirds of the questions, and asked it the
other third. With one model (the shipped one, by default) nothing is trained: it has seen none of
these questions, so all folds are held out, but it knows nothing of this corpus and its writers
either, and it finds easy what its own training data makes easy. With three models, each trained on
the file without its fold that an export writes, it is what the paper did.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.hotpotqa.metric import HotpotQAMetric
from lacuna.models.protocol import Reader
from lacuna.types import Question

FOLDS = 3
OpenReader = Callable[[str], Reader]


def fold_of(question: Question, seed: int) -> int:
    """Which third a question is in, from 0."""
    name = f"{seed}\n{question.id}"
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") % FOLDS


def medium_losses(
    questions: Sequence[Question],
    models: Sequence[str],
    seed: int,
    open_reader: OpenReader,
) -> dict[str, float]:
    """The loss of every question that was answered rightly while it was held out, by id.

    The loss is the negative logarithm of how sure the reader is of its answer.
    """
    if not models:
        return {}
    metric = HotpotQAMetric()
    exact = metric.measures.index("em")
    losses = {}
    for fold in range(FOLDS):
        held_out = [question for question in questions if fold_of(question, seed) == fold]
        if not held_out:
            continue
        reader = open_reader(models[fold % len(models)])
        for question, prediction in zip(
            held_out, reader.read(held_out, mode=AnswerMode.HOP), strict=True
        ):
            if metric.judge(question, prediction)[exact] and prediction.confidence:
                losses[question.id] = -math.log(prediction.confidence)
    return losses
