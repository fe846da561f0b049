"""What is fitted after training is the best there is, and judged on other questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.evaluation.tune import (
    AS_GOOD,
    CandidateScores,
    best_temperature,
    best_thresholds,
    cross_fitted_score,
    fit_temperature,
    fit_tuning,
)
from lacuna.models.calibration import Calibration, NoAnswerThresholds, Tuning, tunings
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.types import Answer, Prediction

rows = st.lists(
    st.tuples(st.floats(-8, 8), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0])),
    min_size=2,
    max_size=30,
)


def scored(some: list[tuple[float, float, float]]) -> CandidateScores:
    margins, answered, none = (np.array(column) for column in zip(*some, strict=True))
    return CandidateScores(margins, np.zeros(len(some), np.int64), answered, none)


@given(rows)
def test_no_other_threshold_is_better(some: list[tuple[float, float, float]]) -> None:
    candidates = scored(some)
    best = candidates.mean(best_thresholds(candidates))
    assert all(
        candidates.mean(NoAnswerThresholds.same(x)) <= best + AS_GOOD + 1e-6
        for x in np.linspace(-9, 9, 181)
    )


def test_margins_with_no_number_in_between_are_told_apart() -> None:
    candidates = scored([(7.999999999999999, 0.0, 1.0), (8.0, 1.0, 0.0)])
    assert candidates.mean(best_thresholds(candidates)) == 1.0


def test_each_answer_group_has_its_threshold() -> None:
    texts = [(m, float(m > 2), float(m <= 2)) for m in np.linspace(-5, 5, 20)]
    numbers = [(m, float(m > -3), float(m <= -3)) for m in np.linspace(-5, 5, 20)]
    candidates = replace(scored(texts + numbers), groups=np.repeat([0, 1], 20))
    thresholds = best_thresholds(candidates)
    assert thresholds.text == pytest.approx(2, abs=0.6)
    assert thresholds.number == pytest.approx(-3, abs=0.6)
    assert candidates.mean(thresholds) == 1.0


def test_of_two_that_are_as_good_the_greater() -> None:
    candidates = scored([(-3.0, 0.0, 1.0), (1.0, 0.5, 0.5), (3.0, 1.0, 0.0)])
    assert best_thresholds(candidates) == NoAnswerThresholds.same(2.0)


def test_a_threshold_that_changes_nothing_is_zero() -> None:
    assert best_thresholds(scored([(-3.0, 0.0, 1.0), (3.0, 1.0, 0.0)])) == NoAnswerThresholds()


def test_cross_fitting_judges_other_questions() -> None:
    random = np.random.default_rng(1)
    # The margin says nothing: fitted on themselves the scores look better than they are.
    scores = random.random((2, 40)).round()
    noise = CandidateScores(random.normal(size=40), np.arange(40) % 2, *scores)
    assert cross_fitted_score(noise) < noise.mean(best_thresholds(noise))


def test_a_tuning_comes_back_from_json() -> None:
    answers = [ScoredAnswer(Prediction(Answer.span("x")), -0.1 * i, i - 5.0) for i in range(12)]
    candidates = scored([(i - 5.0, float(i > 7), float(i <= 7)) for i in range(12)])
    fitted = fit_tuning(answers, candidates, may_abstain=True).tuning
    assert fitted.thresholds == pytest.approx((2.5,) * 3, abs=0.51)
    assert tunings({"tuning": {"ask": fitted.as_json()}}) == {AnswerMode.ASK: fitted}


def test_modes_that_never_abstain_have_no_threshold() -> None:
    answers = [ScoredAnswer(Prediction(Answer.span("x")), -0.1, np.inf)] * 4
    candidates = scored([(np.inf, right, 0.0) for right in (1.0, 0.0, 1.0, 1.0)])
    fitted = fit_tuning(answers, candidates, may_abstain=False)
    assert fitted.tuning.thresholds == NoAnswerThresholds()
    assert fitted.tuning.calibration is not None
    assert fitted.score_after == fitted.score_before


@pytest.mark.parametrize(
    "raw",
    [
        {"ask": {}},
        {"no": {"no_answer_thresholds": {}}},
        {"ask": {"no_answer_thresholds": {"text": "x"}}},
        {"ask": {"no_answer_thresholds": {"x": 1}}},
        3,
    ],
)
def test_a_damaged_tuning_is_refused(raw: object) -> None:
    with pytest.raises(LacunaError, match="damaged"):
        tunings({"tuning": raw})


def test_a_mode_may_go_untuned() -> None:
    assert tunings({}) == {}
    assert Tuning().trusted(0.3) == 0.3
    assert Tuning(calibration=Calibration((0.0,), (0.5,))).trusted(0.9) == 0.5


@pytest.mark.parametrize("hot", [0.4, 1.0, 3.0])
def test_the_temperature_that_was_there_is_found(hot: float) -> None:
    """Right choices are drawn as likely as softmax says at that temperature."""
    random = np.random.default_rng(6)
    scores = random.normal(0, 2, (2000, 3)).astype(np.float32)
    likely = np.exp(scores / hot)
    likely /= likely.sum(1, keepdims=True)
    right = (likely.cumsum(1) < random.random((len(scores), 1))).sum(1).clip(max=2)
    assert best_temperature(list(scores), right) == pytest.approx(hot, rel=0.1)


def test_a_model_that_is_too_confident_gets_a_higher_temperature() -> None:
    """Sure by 98 in 100 and right by 3 in 4: log-odds of 4 should be log(3)."""
    right = [int(number % 4 == 0) for number in range(80)]
    fitted = fit_temperature([np.array([4.0, 0.0], np.float32)] * 80, right)
    assert fitted.questions == 80
    assert fitted.temperature == pytest.approx(4 / np.log(3), abs=0.01)
    assert fitted.error_before == pytest.approx(0.232, abs=0.001)
    assert fitted.error_after < 0.1
