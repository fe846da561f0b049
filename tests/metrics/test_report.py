from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Gold, LacunaError, Prediction, Question
from lacuna.datasets.iirc import IIRCMetric
from lacuna.metrics.report import score_predictions, write_scores
from lacuna.metrics.statistics import intervals


def asked(id_: str, *answers: Answer) -> Question:
    return Question(id_, "?", gold=Gold(answers))


QUESTIONS = [
    asked("a", Answer.span("ferry")),
    asked("b", Answer.none()),
    asked("c", Answer.yes()),
    Question("d", "hidden"),
]
PREDICTIONS = {"a": Prediction(Answer.span("ferry")), "b": Prediction(Answer.span("boat"))}


def test_a_report_tells_the_parts_apart() -> None:
    report = score_predictions(IIRCMetric(), QUESTIONS, PREDICTIONS)
    assert report.official["f1"] == pytest.approx(1 / 3)
    assert report.floor == {"em": pytest.approx(1 / 3), "f1": pytest.approx(1 / 3)}
    assert report.missing == ["c"]
    assert report.without_gold == 1
    assert report.parts["span"]["f1"] == 1
    assert report.parts["answerable"] == {"questions": 2, "em": 0.5, "f1": 0.5}
    assert report.parts["unanswerable"] == {"questions": 1, "em": 0, "f1": 0}
    assert json.loads(json.dumps(report.as_json()))["by_kind"]["yes"]["questions"] == 1
    assert any("no gold answer" in warning for warning in report.warnings())


def test_a_report_breaks_down_by_the_labels_it_is_given() -> None:
    labels = {"a": {"type": "span"}, "b": {"type": "none"}, "c": {"type": "none", "level": "hard"}}
    report = score_predictions(
        IIRCMetric(),
        QUESTIONS,
        PREDICTIONS,
        facets=lambda question: labels[question.id],
    )
    assert list(report.facets["type"]) == ["none", "span"], "the most frequent first"
    assert report.facets["type"]["span"] == {"questions": 1, "em": 1, "f1": 1}
    assert report.as_json()["by_level"] == {"hard": {"questions": 1, "em": 0, "f1": 0}}


def test_labels_that_are_numbers_stand_in_their_order() -> None:
    labels = {"a": {"turn": "10"}, "b": {"turn": "2"}, "c": {"turn": "10"}}
    report = score_predictions(
        IIRCMetric(), QUESTIONS, PREDICTIONS, facets=lambda question: labels[question.id]
    )
    assert list(report.facets["turn"]) == ["2", "10"]
    assert report.lacks({"turn": "x", "level": "level"}) == [
        "There is no breakdown by level: no question of the file has level."
    ]


def test_predictions_for_unknown_questions_are_refused_or_counted() -> None:
    predictions = {**PREDICTIONS, **{f"x{n}": Prediction(Answer.none()) for n in range(5)}}
    with pytest.raises(LacunaError, match=r"5 predictions.*'x0', 'x1', 'x2' and 2 more"):
        score_predictions(IIRCMetric(), QUESTIONS, predictions)
    report = score_predictions(IIRCMetric(), QUESTIONS, predictions, ignore_unknown=True)
    assert report.unknown == [f"x{n}" for n in range(5)]


def test_a_prediction_for_a_question_without_gold_is_not_unknown() -> None:
    predictions = {**PREDICTIONS, "d": Prediction(Answer.none())}
    assert score_predictions(IIRCMetric(), QUESTIONS, predictions).unknown == []


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(LacunaError, match=r"no question with an answer \(1 without\)"):
        score_predictions(IIRCMetric(), QUESTIONS[3:], {})


def test_each_questions_scores_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    write_scores(path, score_predictions(IIRCMetric(), QUESTIONS, PREDICTIONS))
    first, _, third = [json.loads(line) for line in path.read_text().splitlines()]
    assert first == {"id": "a", "kind": "span", "predicted": True, "em": 1.0, "f1": 1.0}
    assert third == {"id": "c", "kind": "yes", "predicted": False, "em": 0.0, "f1": 0.0}


rows = st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(0, 1)), min_size=2, max_size=30)


@given(rows)
def test_an_interval_lies_between_the_lowest_and_the_highest_value(
    rows: list[tuple[float, float | None]],
) -> None:
    bounds = intervals(range(len(rows)), rows, ("all", "some"), 1.0)
    assert bounds["all"] is not None
    low, high = bounds["all"]
    values = [row[0] for row in rows]
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    if all(row[1] is None for row in rows):
        assert bounds["some"] is None


def test_an_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    """200 samples of 60 coin tosses: 95% intervals should hold the truth in most of them."""
    chance = random.Random(3)
    covered = 0
    for _ in range(200):
        rows = [(float(chance.random() < 0.3),) for _ in range(60)]
        bounds = intervals(range(60), rows, ("heads",), 1.0)["heads"]
        assert bounds is not None
        covered += bounds[0] <= 0.3 <= bounds[1]
    assert 178 <= covered <= 199


def test_questions_of_one_passage_are_drawn_together() -> None:
    """Ten copies of each of two answers say no more than the two do."""
    apart = intervals(range(20), [(0.0,), (1.0,)] * 10, ("f1",), 1.0)["f1"]
    together = intervals([0] * 10 + [1] * 10, [(0.0,)] * 10 + [(1.0,)] * 10, ("f1",), 1.0)["f1"]
    assert apart is not None
    assert together == (0.0, 1.0)
    assert apart[0] > 0.2


def test_one_passage_alone_has_no_interval() -> None:
    assert intervals([0, 0], [(1.0,), (0.0,)], ("f1",), 1.0) == {"f1": None}


def test_intervals_are_the_same_every_time() -> None:
    rows = [(n / 10,) for n in range(11)]
    once = intervals(range(11), rows, ("f1",), 100.0)
    assert once == intervals(range(11), rows, ("f1",), 100.0)
