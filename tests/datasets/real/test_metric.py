from __future__ import annotations

from typing import Any

import pytest

from lacuna import Answer, Gold, Prediction, Question, get_dataset
from lacuna.datasets.real import RealMetric
from lacuna.metrics.calibration import judge_confidence
from lacuna.metrics.report import Report, score_predictions

LONG = Answer.span("It is the ferry that the harbour master of Port Ellery bought in 1931")


def question(id_: str, match: str | list[str], **extra: Any) -> Question:
    gold = Answer.none() if match == "^none$" else Answer.span("gold")
    return Question(id_, "?", gold=Gold((gold,)), extra={"match": match, **extra})


def scored(questions: list[Question], answers: dict[str, Answer | None]) -> Report:
    predictions = {id_: Prediction(answer) for id_, answer in answers.items()}
    return score_predictions(RealMetric(), questions, predictions)


def test_each_outcome_counts_where_it_belongs() -> None:
    questions = [
        question("right", "ferry"),
        question("wrong", "ferry"),
        question("wrongly none", "ferry"),
        question("refused", "^none$"),
        question("answered", "^none$"),
    ]
    report = scored(
        questions,
        {
            "right": Answer.span("the Ferry."),
            "wrong": Answer.span("the boat"),
            "wrongly none": Answer.none(),
            "refused": Answer.none(),
            "answered": Answer.span("the ferry"),
        },
    )
    assert report.official == {
        "correct": 2 / 5,
        "right": 1 / 3,
        "wrongly_none": 1 / 3,
        "refused": 1 / 2,
        "over_12_words": 0.0,
    }
    assert report.floor["refused"] == 1.0


def test_only_right_answers_can_be_too_long() -> None:
    questions = [question("a1", "no such word"), question("ok", "ferry")]
    report = scored(questions, {"a1": LONG, "ok": LONG})
    assert report.official["over_12_words"] == 1.0
    assert (report.missing, report.official["correct"]) == ([], 0.5)
    twelve = Answer.span("the ferry " + "and " * 10)
    assert scored(questions, {"a1": LONG, "ok": twelve}).official["over_12_words"] == 0.0


def test_a_missing_prediction_is_wrong_even_where_there_is_no_answer() -> None:
    report = scored([question("q", "^none$"), question("r", "ferry")], {"r": None})
    assert (report.official["correct"], report.missing) == (0.0, ["q"])
    assert report.official["wrongly_none"] == 0.0


def test_a_pair_is_right_when_both_halves_are() -> None:
    questions = [
        question("1", "^yes$", pair="2"),
        question("2", "^no$", pair="1"),
        question("3", "^yes$", pair="4"),
        question("4", "^no$", pair="3"),
        question("5", "^no$", pair="not in this file"),
        question("6", "^no$", pair="6"),
    ]
    answers = dict.fromkeys("1356", Answer.yes()) | dict.fromkeys("24", Answer.no())
    report = scored(questions, {**answers, "4": Answer.yes()})
    assert (report.official["pairs_right"], report.official["pairs_total"]) == (0.5, 2)
    assert "pairs_right" not in scored(questions[:1], {"1": Answer.yes()}).official


def test_confidence_is_held_against_right_and_wrong_answers_alone() -> None:
    questions = [question(id_, "ferry") for id_ in "abc"] + [question("d", "^none$")]
    predictions = {
        "a": Prediction(Answer.span("ferry"), confidence=0.6),
        "b": Prediction(Answer.span("boat"), confidence=0.7),
        "c": Prediction(Answer.none(), confidence=0.9),
        "d": Prediction(Answer.span("boat"), confidence=0.1),
    }
    metric = RealMetric()
    report = score_predictions(metric, questions, predictions)
    confidence = judge_confidence(metric, report, predictions)
    assert confidence is not None
    assert confidence.auc == 0.5


@pytest.mark.parametrize(
    ("answer", "right"),
    [(Answer.number(15, unit="minutes"), True), (Answer.number(15), False)],
)
def test_a_number_is_judged_with_its_unit(answer: Answer, right: bool) -> None:
    row = RealMetric().judge(question("q", "15 minutes"), Prediction(answer))
    assert row[0] == float(right)


def test_several_texts_are_judged_together() -> None:
    both = Prediction(Answer.spans(("Marrow", "Kestrel")))
    metric = get_dataset("real").metric()
    assert metric.judge(question("q", ["kestrel", "marrow"]), both)[0] == 1.0
    assert metric.judge(question("q", ["kestrel", "tern"]), both)[0] == 0.0
