from __future__ import annotations

from typing import Any

import pytest
from scoring import values

from lacuna import (
    Answer,
    AnswerKind,
    DialogActs,
    Document,
    FollowUp,
    Gold,
    Prediction,
    Question,
    YesNo,
)
from lacuna.datasets.quac_metric import QuacMetric
from lacuna.metrics.report import score_predictions


def turn(
    *references: str, acts: DialogActs | None = None, id_: str = "C_q#0", **rest: Any
) -> Question:
    gold = tuple(
        Answer.none() if text == "CANNOTANSWER" else Answer.span(text) for text in references
    )
    return Question(id_, "?", gold=Gold(gold, acts=acts), **rest)


def test_the_majority_decides_whether_there_is_an_answer() -> None:
    metric = QuacMetric()
    assert metric.kind(turn("a cook", "CANNOTANSWER")) is AnswerKind.NONE
    assert metric.kind(turn("a cook", "a cook", "CANNOTANSWER")) is AnswerKind.SPAN


def test_each_reference_is_left_out_in_turn() -> None:
    found = values(
        QuacMetric(),
        turn("red boat", "blue boat"),
        Prediction(Answer.span("red boat")),
    )
    assert found["f1"] == pytest.approx(100 / 100 * (1 + 0.5) / 2)
    assert found["HEQ"] == 1, "two annotators agree by half, and the prediction is better"


def test_low_agreement_counts_only_where_the_prediction_is_missing() -> None:
    question = turn("red", "blue", "green")
    answered = values(QuacMetric(), question, Prediction(Answer.span("red")))
    assert (answered["f1"], answered["HEQ"]) == (None, None)
    assert answered["unfiltered_f1"] == pytest.approx(2 / 3)
    missing = values(QuacMetric(), question, None)
    assert (missing["f1"], missing["HEQ"]) == (0, 0)


def test_a_dialog_is_good_if_all_its_answers_are() -> None:
    passage, other = Document("C", "a b"), Document("D", "a b")
    questions = [
        turn("a cook", id_="C_q#0", context=passage),
        turn("a boat", id_="C_q#1", context=passage),
        turn("a lamp", id_="D_q#0", context=other),
    ]
    good = {
        question.id: Prediction(question.gold.answers[0]) for question in questions if question.gold
    }
    assert score_predictions(QuacMetric(), questions, good).official["DHEQ"] == 100
    one_wrong = {**good, "C_q#0": Prediction(Answer.span("a mast"))}
    assert score_predictions(QuacMetric(), questions, one_wrong).official["DHEQ"] == 50


def test_acts_are_null_where_the_gold_has_none() -> None:
    acts = DialogActs(YesNo.YES, FollowUp.NO)
    prediction = {"C_q#0": Prediction(Answer.span("a cook"), acts=acts)}
    without = score_predictions(QuacMetric(), [turn("a cook")], prediction)
    assert (without.official["yes/no"], without.official["followup"]) == (None, None)
    right = score_predictions(QuacMetric(), [turn("a cook", acts=acts)], prediction)
    assert (right.official["yes/no"], right.official["followup"]) == (100, 100)
