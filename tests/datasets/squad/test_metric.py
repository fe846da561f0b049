from __future__ import annotations

import pytest
from scoring import asked, values

from lacuna import (
    Answer,
    LacunaError,
    Prediction,
    Question,
)
from lacuna.datasets.squad import SquadMetric
from lacuna.metrics.report import score_predictions


def squad(impossible: bool | None, *texts: str) -> Question:
    extra = {} if impossible is None else {"is_impossible": impossible}
    gold = tuple(Answer.span(text) for text in texts) or (Answer.none(),)
    return asked(*gold, extra=extra)


def test_squad_takes_the_best_reference() -> None:
    question = squad(False, "sea mark", "a mark")
    assert SquadMetric().judge(question, Prediction(Answer.span("the mark"))) == (1, 1)


def test_squad_2_gives_no_partial_credit_without_an_answer() -> None:
    metric = SquadMetric()
    assert metric.judge(squad(True), Prediction(Answer.none())) == (1, 1)
    assert metric.judge(squad(True), Prediction(Answer.span("mark"))) == (0, 0)
    assert metric.judge(squad(True), Prediction(Answer.span("the"))) == (1, 1)
    assert metric.judge(squad(False, "mark"), Prediction(Answer.none())) == (0, 0)


def test_squad_1_and_2_differ_on_answers_that_normalise_to_nothing() -> None:
    prediction = Prediction(Answer.span("the"))
    assert SquadMetric().judge(squad(None, "a"), prediction) == (1, 0)
    assert SquadMetric().judge(squad(False, "a"), prediction) == (1, 1)


def test_squad_1_and_2_have_names_of_their_own() -> None:
    prediction = {"q": Prediction(Answer.span("mark"))}
    first = score_predictions(SquadMetric(), [squad(None, "mark")], prediction)
    assert first.official == {"exact_match": 100, "f1": 100}
    second = score_predictions(SquadMetric(), [squad(False, "mark")], prediction)
    assert second.official == {
        "exact": 100,
        "f1": 100,
        "total": 1,
        "HasAns_exact": 100,
        "HasAns_f1": 100,
        "HasAns_total": 1,
    }


def test_a_probability_above_the_threshold_overrides_the_answer() -> None:
    metric = SquadMetric(no_answer_probability={"q": 1.5})
    found = values(metric, squad(False, "mark"), Prediction(Answer.span("mark")))
    assert (found["exact"], found["raw_exact"]) == (0, 1)


def test_equal_probabilities_stay_in_the_order_of_their_file() -> None:
    """One right and one wrong answer at the same probability: which comes first decides."""
    questions = [
        Question("good", "?", gold=squad(False, "mark").gold, extra={"is_impossible": False}),
        Question("bad", "?", gold=squad(True).gold, extra={"is_impossible": True}),
    ]
    predictions = {
        "good": Prediction(Answer.span("mark")),
        "bad": Prediction(Answer.span("mark")),
    }

    def best(*order: str) -> float:
        metric = SquadMetric(no_answer_probability=dict.fromkeys(order, 0.5))
        return float(score_predictions(metric, questions, predictions).official["best_exact"])

    assert (best("good", "bad"), best("bad", "good")) == (100, 50)


def test_squad_1_has_its_floor_and_interval_and_no_probabilities() -> None:
    questions = [Question(n, "?", gold=squad(None, "mark").gold) for n in "ab"]
    predictions = {"a": Prediction(Answer.span("mark")), "b": Prediction(Answer.none())}
    report = score_predictions(SquadMetric(), questions, predictions)
    assert report.official["exact_match"] == 50
    assert report.floor["exact_match"] == 0
    assert report.interval["exact_match"] == (0, 100)
    assert report.parts["span"]["exact_match"] == 50
    metric = SquadMetric(no_answer_probability={"a": 0.1, "b": 0.2})
    with pytest.raises(LacunaError, match=r"belongs to SQuAD 2\.0"):
        score_predictions(metric, questions, predictions)
