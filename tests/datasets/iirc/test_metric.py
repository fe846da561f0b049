from __future__ import annotations

from scoring import asked

from lacuna import (
    Answer,
    Prediction,
)
from lacuna.datasets.drop import DropMetric
from lacuna.datasets.iirc import IIRCMetric


def test_an_empty_gold_is_none_in_iirc_and_nothing_in_drop() -> None:
    question, abstains = asked(Answer.none()), Prediction(Answer.none())
    assert IIRCMetric().judge(question, abstains) == (1, 1)
    assert DropMetric().judge(question, abstains) == (0, 0)
    assert IIRCMetric().judge(question, Prediction(Answer.span("None."))) == (1, 1)
