from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Gold, Prediction, Question
from lacuna.datasets.iirc import IIRCMetric
from lacuna.metrics.calibration import Abstention
from lacuna.metrics.report import report_tables, score_predictions

pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1)


@given(pairs)
def test_f1_is_the_harmonic_mean(judged: list[tuple[bool, bool]]) -> None:
    counts = Abstention()
    for unanswerable, abstained in judged:
        counts.add(unanswerable, abstained)
    precision, recall, f1 = counts.precision, counts.recall, counts.f1
    if precision and recall:
        assert f1 is not None
        assert abs(f1 - 2 * precision * recall / (precision + recall)) < 1e-12
    elif f1 is not None:
        assert f1 == 0
    assert counts.always.recall in (1.0, None)


def test_a_missing_prediction_is_no_abstention() -> None:
    questions = [
        Question(name, "?", gold=Gold((answer,)))
        for name, answer in {"a": Answer.none(), "b": Answer.none(), "c": Answer.yes()}.items()
    ]
    predictions = {"a": Prediction(Answer.none()), "c": Prediction(Answer.none())}
    report = score_predictions(IIRCMetric(), questions, predictions)
    assert report.as_json()["abstention"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    table = list(report_tables(IIRCMetric(), report))[1]
    assert table.rows[0] == ("precision", 50.0, pytest.approx(100 * 2 / 3))


def test_where_all_have_an_answer_there_is_nothing_to_recognise() -> None:
    questions = [Question("a", "?", gold=Gold((Answer.yes(),)))]
    report = score_predictions(IIRCMetric(), questions, {"a": Prediction(Answer.none())})
    assert report.as_json()["abstention"] is None
    assert not any("without" in table.title for table in report_tables(IIRCMetric(), report))
