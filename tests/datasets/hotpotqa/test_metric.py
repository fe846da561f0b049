from __future__ import annotations

import pytest
from scoring import values

from lacuna import (
    Answer,
    Gold,
    Prediction,
    Question,
    SupportingFact,
)
from lacuna.datasets.hotpotqa import HotpotQAMetric
from lacuna.metrics.report import score_predictions


def hotpot(answer: str, *facts: SupportingFact) -> Question:
    kinds = {"yes": Answer.yes(), "no": Answer.no(), "noanswer": Answer.none()}
    return Question(
        "q", "?", gold=Gold((kinds.get(answer, Answer.span(answer)),), supporting_facts=facts)
    )


@pytest.mark.parametrize(
    ("predicted", "wanted", "em", "f1"),
    [
        ("yes", "yes", 1, 1),
        ("Yes.", "yes", 1, 1),
        ("yes indeed", "yes", 0, 0),
        ("no", "yes", 0, 0),
        ("yes", "yes it is", 0, 0),
        ("noanswer", "no answer", 0, 0),
        ("", "", 1, 0),
        ("The ferry", "a ferry", 1, 1),
        ("old ferry", "ferry", 0, pytest.approx(2 / 3)),
    ],
)
def test_hotpotqa_answers(predicted: str, wanted: str, em: float, f1: float) -> None:
    found = values(HotpotQAMetric(), hotpot(wanted), Prediction(Answer.span(predicted)))
    assert (found["em"], found["f1"]) == (em, f1)
    assert found["joint_f1"] == 0, "without supporting facts there is no joint score"


def test_hotpotqa_multiplies_answer_and_support() -> None:
    first, second = SupportingFact("Tarn", 0), SupportingFact("Tarn", 1)
    prediction = Prediction(Answer.span("old ferry"), supporting_facts=(first,))
    found = values(HotpotQAMetric(), hotpot("ferry", first, second), prediction)
    assert (found["sp_prec"], found["sp_recall"], found["sp_em"]) == (1, 0.5, 0)
    assert (found["joint_prec"], found["joint_recall"]) == (0.5, 0.5)


def test_hotpotqa_predictions_without_support_are_told_aloud() -> None:
    report = score_predictions(
        HotpotQAMetric(), [hotpot("ferry")], {"q": Prediction(Answer.span("ferry"))}
    )
    assert report.missing == []
    assert "1 of 1 predictions HAVE NO SUPPORTING FACTS" in report.warnings()[0]


def test_hotpotqa_divides_by_all_questions() -> None:
    questions = [Question(str(n), "?", gold=hotpot("ferry").gold) for n in range(4)]
    report = score_predictions(HotpotQAMetric(), questions, {"0": Prediction(Answer.span("ferry"))})
    assert report.official["em"] == 0.25
    assert report.missing == ["1", "2", "3"]
