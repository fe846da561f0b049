from __future__ import annotations

from scoring import asked

from lacuna import (
    Answer,
    Choice,
    Prediction,
)
from lacuna.datasets.openbookqa import OpenBookQAMetric
from lacuna.metrics.report import score_predictions


def test_a_tie_shares_the_credit() -> None:
    question = asked(Answer.choice("B"), choices=tuple(Choice(label, "") for label in "ABCD"))
    metric = OpenBookQAMetric()
    assert metric.judge(question, Prediction(Answer.choice("B"))) == (1,)
    assert metric.judge(question, Prediction(Answer.choice("A;B"))) == (0.5,)
    assert metric.judge(question, Prediction(Answer.choice("A"))) == (0,)
    assert metric.judge(question, metric.abstention(question)) == (0.25,)


def test_a_choice_that_is_not_offered_is_told_aloud() -> None:
    question = asked(Answer.choice("B"), choices=tuple(Choice(label, "") for label in "ABCD"))
    report = score_predictions(
        OpenBookQAMetric(), [question], {"q": Prediction(Answer.choice("b"))}
    )
    assert report.official["accuracy"] == 0
    assert "HAVE NO CHOICE THAT THE QUESTION OFFERS" in report.warnings()[0]
