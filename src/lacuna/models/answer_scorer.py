"""How likely each of several answers is right, and none of them: a few weighted features."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lacuna.errors import LacunaError

KEY = "answer_scorer"
"""Where a model's configuration keeps it."""


@dataclass(frozen=True, slots=True)
class AnswerScorer:
    """Weights by the name of a feature; features without a weight count for nothing.

    An answer's score is how much likelier it is right than none of those at hand, in log-odds.

    >>> AnswerScorer({"margin": 0.5}, -1.0).score({"margin": 2.0, "rank": 7.0})
    0.0
    """

    weights: Mapping[str, float]
    bias: float

    def score(self, features: Mapping[str, float]) -> float:
        """The log-odds of one answer against none."""
        return self.bias + sum(w * features.get(name, 0.0) for name, w in self.weights.items())

    def probabilities(self, answers: Sequence[Mapping[str, float]]) -> list[float]:
        """The chance of each answer to be the right one; what is missing to 1 is that of none.

        >>> AnswerScorer({}, 0.0).probabilities([{}, {}, {}])
        [0.25, 0.25, 0.25]
        """
        scores = [self.score(features) for features in answers]
        most = max(scores, default=0.0)
        shares = [math.exp(score - max(most, 0.0)) for score in scores]
        total = math.fsum(shares) + math.exp(-max(most, 0.0))
        return [share / total for share in shares]

    def as_json(self) -> dict[str, Any]:
        """As it stands in a model's configuration."""
        return {"weights": dict(self.weights), "bias": self.bias}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> AnswerScorer:
        """The scorer that stands in a model's configuration."""
        try:
            weights = {str(name): float(value) for name, value in raw["weights"].items()}
            scorer = cls(weights, float(raw["bias"]))
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise _damaged(str(problem)) from None
        if not all(map(math.isfinite, (*scorer.weights.values(), scorer.bias))):
            raise _damaged("a weight must be a number")
        return scorer


def _damaged(reason: str) -> LacunaError:
    return LacunaError(f"the model's answer scorer is damaged ({reason}). Get the model again.")
