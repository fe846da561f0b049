"""What the tests of several scorers share."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lacuna import (
    Answer,
    Gold,
    Prediction,
    Question,
)
from lacuna.metrics.metric import Metric

answers = st.text(st.sampled_from("aAnthe .-’–\t5,é_0$ yesno"), max_size=25)


def values(metric: Metric, question: Question, prediction: Prediction | None) -> dict[str, Any]:
    row = metric.judge(question, prediction)
    return dict(zip(metric.measures, row, strict=True))


def asked(*gold: Answer, **rest: Any) -> Question:
    return Question("q", "?", gold=Gold(gold), **rest)
