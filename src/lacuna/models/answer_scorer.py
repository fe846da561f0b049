"""How likely a candidate answer is right: a logistic function of a few of its features."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.errors import LacunaError

KEY = "answer_scorer"
"""Where a model's configuration keeps it."""


@dataclass(frozen=True, slots=True)
class AnswerScorer:
    """Weights by the name of a feature; features without a weight count for nothing.

    >>> AnswerScorer({"margin": 0.5}, -1.0).probability({"margin": 2.0, "rank": 7.0})
    0.5
    """

    weights: Mapping[str, float]
    bias: float

    def probability(self, features: Mapping[str, float]) -> float:
        """The chance that an answer with these features is right."""
        score = self.bias + sum(w * features.get(name, 0.0) for name, w in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

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
