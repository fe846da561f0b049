"""From what the inputs of a question say to one prediction: answer, or say that there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lacuna.models.reader.decode import Outcome
from lacuna.models.reader.thresholds import Tuning, answer_group
from lacuna.types import Answer, AnswerKind, Prediction, SupportingFact

SURE = 30.0
"""Log-odds that no model needs to exceed; where a mode has no "none", the margin is infinite."""
SUPPORTS = 0.0
"""A sentence with a score above this (a probability above one half) supports the answer."""
LEAST_SUPPORT = 2
"""HotpotQA's questions rest on at least two sentences."""


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """The best answer, its log-probability, and how much likelier it is than none, in log-odds.

    ``sentences`` are those of the input that gave the answer, with the score of each as support.
    ``relevance`` is how likely the texts help with the question at all, as log-odds.
    Where nothing is known of how likely the answer is (not ``rated``), it gets no confidence.
    """

    prediction: Prediction
    total: float
    margin: float
    sentences: tuple[tuple[SupportingFact, float], ...] = ()
    relevance: float = -math.inf
    rated: bool = True

    @property
    def kind(self) -> AnswerKind:
        """The kind of the best answer; none if there is nothing to say."""
        return self.prediction.answer.kind if self.prediction.answer else AnswerKind.NONE

    def decide(self, tuning: Tuning) -> Prediction:
        """The answer if it is likely enough, else none; with how sure that is."""
        over = max(-SURE, min(SURE, self.margin - tuning.thresholds[answer_group(self.kind)]))
        answerable = 1 / (1 + math.exp(-over))
        if self.prediction.answer is None or over <= 0:
            none = replace(self.prediction, answer=Answer.none(), evidence=())
            return self._with_confidence(none, tuning, 1 - answerable)
        return self._with_confidence(self.prediction, tuning, math.exp(self.total) * answerable)

    def _with_confidence(
        self, prediction: Prediction, tuning: Tuning, confidence: float
    ) -> Prediction:
        return replace(prediction, confidence=tuning.trusted(confidence) if self.rated else None)


@dataclass(frozen=True, slots=True)
class LinkScores:
    """What a context alone says: a score for each of its links, and the best answer it has."""

    links: list[float]
    alone: ScoredAnswer


def supporting(outcomes: Sequence[Outcome]) -> tuple[SupportingFact, ...]:
    """The sentences that support an answer, the surest first."""
    scored = sorted((pair for o in outcomes for pair in o.sentences), key=lambda pair: -pair[1])
    facts = [
        fact for i, (fact, score) in enumerate(scored) if score > SUPPORTS or i < LEAST_SUPPORT
    ]
    return tuple(dict.fromkeys(facts))
