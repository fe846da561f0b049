from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Gold, Prediction, Question
from lacuna.datasets.quac_metric import QuacMetric
from lacuna.metrics.calibration import (
    RiskCoverage,
    calibration_error,
    discrimination,
    judge_confidence,
)
from lacuna.metrics.report import score_predictions

share = st.floats(0, 1, allow_subnormal=False)
tied = st.sampled_from([0.1, 0.5, 0.9])  # few values, so that many are equal
pairs = st.lists(st.tuples(share | tied, share), min_size=1, max_size=30)
few = st.lists(st.tuples(tied, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=5)


def curve_of(found: list[tuple[float, float]]) -> RiskCoverage:
    return RiskCoverage.of(*zip(*found, strict=True))


@given(few)
def test_ties_count_as_if_taken_in_any_order(found: list[tuple[float, float]]) -> None:
    """The area is the mean over all orders that put higher confidence first."""
    areas = []
    for order in permutations(found):
        sure = [pair[0] for pair in order]
        if sure == sorted(sure, reverse=True):
            lost = np.cumsum([1 - pair[1] for pair in order])
            areas.append(np.mean(lost / np.arange(1, len(order) + 1)))
    assert curve_of(found).area() == pytest.approx(np.mean(areas))


@given(pairs)
def test_full_coverage_risks_the_mean(found: list[tuple[float, float]]) -> None:
    curve = curve_of(found)
    assert curve.risk(1.0) == pytest.approx(1 - np.mean([right for _, right in found]))
    assert -1e-9 <= curve.area() <= 1 + 1e-9


@given(pairs, st.randoms())
def test_the_order_of_the_questions_does_not_matter(
    found: list[tuple[float, float]], chance: object
) -> None:
    mixed = list(found)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert curve_of(mixed).area() == pytest.approx(curve_of(found).area())


@given(pairs, share)
def test_a_threshold_is_the_lowest_that_keeps_its_word(
    found: list[tuple[float, float]], limit: float
) -> None:
    def error(least: float) -> float:
        return float(np.mean([1 - right for sure, right in found if sure >= least]))

    good = [sure for sure, _ in found if error(sure) <= limit + 1e-9]
    threshold = curve_of(found).threshold(limit)
    if threshold is None:
        assert not good
    else:
        assert threshold.confidence == min(good)
        assert threshold.error == pytest.approx(error(threshold.confidence))
        assert threshold.answered == sum(sure >= threshold.confidence for sure, _ in found)
        assert threshold.coverage == threshold.answered / len(found)


def test_one_wrong_of_ten_is_an_error_of_a_tenth() -> None:
    threshold = RiskCoverage.of([0.5] * 10, [1.0] * 9 + [0.0]).threshold(0.1)
    assert threshold is not None
    assert threshold.answered == 10


def test_the_worst_order_has_the_largest_area() -> None:
    right = [1.0, 1.0, 0.0, 0.0]
    best = RiskCoverage.of([0.9, 0.8, 0.2, 0.1], right).area()
    same = RiskCoverage.of([0.5] * 4, right).area()
    worst = RiskCoverage.of([0.1, 0.2, 0.8, 0.9], right).area()
    assert best < same < worst
    assert same == pytest.approx(0.5)


@given(pairs)
def test_calibration_error_by_hand(found: list[tuple[float, float]]) -> None:
    bins: dict[int, list[tuple[float, float]]] = {}
    for pair in found:
        bins.setdefault(min(int(pair[0] * 15), 14), []).append(pair)
    gaps = [
        len(inside) * abs(np.mean([r for _, r in inside]) - np.mean([s for s, _ in inside]))
        for inside in bins.values()
    ]
    sure, right = zip(*found, strict=True)
    assert calibration_error(sure, right) == pytest.approx(sum(gaps) / len(found))


def test_questions_that_do_not_count_and_confidences_that_are_not_claimed() -> None:
    questions = [
        Question(id_, "?", gold=Gold((Answer.span("a b"), Answer.span(second))))
        for id_, second in (("agreed", "a b"), ("disputed", "x y"))
    ]
    predictions = {question.id: Prediction(Answer.span("a b")) for question in questions}
    metric = QuacMetric()
    report = score_predictions(metric, questions, predictions)
    found = judge_confidence(metric, report, predictions)
    assert found is not None
    assert found.curve.answered.tolist() == [1]
    assert found.curve.confidence.tolist() == [0.0]
    assert found.calibration_error == 1.0
    report = score_predictions(metric, questions[1:], {"disputed": predictions["disputed"]})
    assert judge_confidence(metric, report, predictions) is None


@given(st.lists(tied), st.lists(tied))
def test_discrimination_is_the_share_of_pairs_in_the_right_order(
    right: list[float], wrong: list[float]
) -> None:
    found = discrimination(right, wrong)
    if not right or not wrong:
        assert found is None
    else:
        wins = [(sure > other) + 0.5 * (sure == other) for sure in right for other in wrong]
        assert found == pytest.approx(sum(wins) / len(wins))
