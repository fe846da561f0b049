from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import LacunaError
from lacuna.metrics.calibration import calibration_error
from lacuna.models.calibration import Calibration, cross_fitted_error, fit_isotonic

score = st.integers(-40, 40).map(lambda n: n / 8)
outcomes = st.sampled_from([0.0, 0.25, 1.0])
pairs = st.lists(st.tuples(score, outcomes), min_size=1, max_size=40)


def drawn(count: int, temperature: float) -> tuple[Any, Any]:
    """Log-odds that claim too much by that factor."""
    chance = np.random.default_rng(7)
    true = chance.normal(0, 2, count)
    right = (chance.random(count) < 1 / (1 + np.exp(-true))).astype(float)
    return true * temperature, right


def sigmoid(values: Any) -> Any:
    return 1 / (1 + np.exp(-values))


def test_a_fit_mends_overconfidence() -> None:
    scores, right = drawn(4000, 3.0)
    before = calibration_error(sigmoid(scores), right)
    assert before > 0.08
    assert cross_fitted_error(fit_isotonic, scores, right) < before / 2


def test_a_measure_on_other_data_does_not_flatter() -> None:
    """Scores that say nothing can be learned by heart, but not carried over."""
    chance = np.random.default_rng(1)
    scores, right = chance.normal(size=60), (chance.random(60) < 0.5).astype(float)
    fitted = fit_isotonic(scores, right)
    flattered = calibration_error(fitted.apply_all(scores), right)
    assert cross_fitted_error(fit_isotonic, scores, right) > flattered + 0.05


@given(pairs)
def test_isotonic_is_the_best_line_that_never_falls(found: list[tuple[float, float]]) -> None:
    """Held against the min-max formula."""
    scores, right = map(np.array, zip(*found, strict=True))
    fitted = fit_isotonic(scores, right)
    for at in scores:
        best = max(
            min(right[(scores >= low) & (scores <= high)].mean() for high in scores if high >= at)
            for low in scores
            if low <= at
        )
        assert fitted.apply(float(at)) == pytest.approx(best)


@given(pairs)
def test_a_fit_keeps_the_order_and_survives_json(found: list[tuple[float, float]]) -> None:
    scores, right = zip(*found, strict=True)
    fitted = fit_isotonic(scores, right)
    applied = fitted.apply_all(sorted(scores))
    assert (np.diff(applied) >= 0).all()
    assert ((applied >= 0) & (applied <= 1)).all()
    assert Calibration.from_json(json.loads(json.dumps(fitted.as_json()))) == fitted


def test_beyond_the_knots_it_is_flat() -> None:
    calibration = Calibration((0.0, 1.0), (0.1, 0.9))
    assert (calibration.apply(-99), calibration.apply(99)) == (0.1, 0.9)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"scores": [], "confidences": []},
        {"scores": [0, 1], "confidences": [0.5]},
        {"scores": [1, 0], "confidences": [0.1, 0.2]},
        {"scores": [0, 1], "confidences": [0.2, 0.1]},
        {"scores": [0, 1], "confidences": [0.2, 1.1]},
        {"scores": ["x"], "confidences": [0.5]},
        {"scores": None, "confidences": [0.5]},
        {"scores": [float("nan"), 1.0], "confidences": [0.1, 0.5]},
    ],
)
def test_a_damaged_calibration(value: dict[str, Any]) -> None:
    with pytest.raises(LacunaError, match="calibration is damaged"):
        Calibration.from_json(value)


def test_what_cannot_be_fitted() -> None:
    for scores, right in (([], []), ([1.0], []), ([np.inf], [1.0]), ([1.0], [2.0])):
        with pytest.raises(ValueError, match=r"outcomes"):
            fit_isotonic(scores, right)
    with pytest.raises(ValueError, match="two halves"):
        cross_fitted_error(fit_isotonic, [1.0], [1.0])
