"""What is fitted after training is the best there is, and judged on other questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.calibration import Calibration
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.models.reader.thresholds import NoAnswerThresholds, Tuning, tunings
from lacuna.systems.fit_thresholds import (
    AS_GOOD,
    Weighing,
    best_thresholds,
    cross_fitted_score,
    tune,
)
from lacuna.types import Answer, Prediction

rows = st.lists(
    st.tuples(st.floats(-8, 8), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0])),
    min_size=2,
    max_size=30,
)


def weighing(some: list[tuple[float, float, float]]) -> Weighing:
    margins, answered, none = (np.array(column) for column in zip(*some, strict=True))
    return Weighing(margins, np.zeros(len(some), np.int64), answered, none)


@given(rows)
def test_no_other_doubt_is_better(some: list[tuple[float, float, float]]) -> None:
    made = weighing(some)
    best = made.score(best_thresholds(made))
    assert all(
        made.score(NoAnswerThresholds.same(x)) <= best + AS_GOOD + 1e-6
        for x in np.linspace(-9, 9, 181)
    )


def test_each_sort_of_answer_has_its_doubt() -> None:
    texts = [(m, float(m > 2), float(m <= 2)) for m in np.linspace(-5, 5, 20)]
    numbers = [(m, float(m > -3), float(m <= -3)) for m in np.linspace(-5, 5, 20)]
    made = replace(weighing(texts + numbers), groups=np.repeat([0, 1], 20))
    doubt = best_thresholds(made)
    assert doubt.text == pytest.approx(2, abs=0.6)
    assert doubt.number == pytest.approx(-3, abs=0.6)
    assert made.score(doubt) == 1.0


def test_of_two_that_are_as_good_the_greater() -> None:
    made = weighing([(-3.0, 0.0, 1.0), (1.0, 0.5, 0.5), (3.0, 1.0, 0.0)])
    assert best_thresholds(made) == NoAnswerThresholds.same(2.0)


def test_doubt_that_changes_nothing_is_none() -> None:
    assert best_thresholds(weighing([(-3.0, 0.0, 1.0), (3.0, 1.0, 0.0)])) == NoAnswerThresholds()


def test_cross_fitting_judges_other_questions() -> None:
    random = np.random.default_rng(1)
    # The margin says nothing: fitted on themselves the scores look better than they are.
    scores = random.random((2, 40)).round()
    noise = Weighing(random.normal(size=40), np.arange(40) % 2, *scores)
    assert cross_fitted_score(noise) < noise.score(best_thresholds(noise))


def test_a_tuning_comes_back_from_json() -> None:
    given_ = [ScoredAnswer(Prediction(Answer.span("x")), -0.1 * i, i - 5.0) for i in range(12)]
    made = weighing([(i - 5.0, float(i > 7), float(i <= 7)) for i in range(12)])
    fitted = tune(given_, made, may_abstain=True).tuning
    assert fitted.thresholds == pytest.approx((2.5,) * 3, abs=0.51)
    assert tunings({"tuning": {"ask": fitted.as_json()}}) == {AnswerMode.ASK: fitted}


def test_styles_that_never_abstain_have_no_doubt() -> None:
    given_ = [ScoredAnswer(Prediction(Answer.span("x")), -0.1, np.inf)] * 4
    made = weighing([(np.inf, right, 0.0) for right in (1.0, 0.0, 1.0, 1.0)])
    fitted = tune(given_, made, may_abstain=False)
    assert fitted.tuning.thresholds == NoAnswerThresholds()
    assert fitted.tuning.calibration is not None
    assert fitted.after == fitted.before


@pytest.mark.parametrize(
    "raw",
    [
        {"ask": {}},
        {"no": {"doubt": {}}},
        {"ask": {"doubt": {"text": "x"}}},
        {"ask": {"doubt": {"x": 1}}},
        3,
    ],
)
def test_a_damaged_tuning_is_told(raw: object) -> None:
    with pytest.raises(LacunaError, match="damaged"):
        tunings({"tuning": raw})


def test_a_style_may_go_untuned() -> None:
    assert tunings({}) == {}
    assert Tuning().trusted(0.3) == 0.3
    assert Tuning(calibration=Calibration((0.0,), (0.5,))).trusted(0.9) == 0.5
