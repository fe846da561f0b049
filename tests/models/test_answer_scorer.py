"""The weights that rate answers, as a model's configuration keeps them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.models.calibration import AnswerScorer


def test_it_survives_its_configuration() -> None:
    scorer = AnswerScorer({"margin": 0.25, "rank": -1.0}, 0.5)
    assert AnswerScorer.from_json(scorer.as_json()) == scorer


def test_more_of_what_speaks_for_an_answer_makes_it_likelier() -> None:
    scorer = AnswerScorer({"margin": 1.0}, 0.0)
    chances = [
        scorer.probabilities([{"margin": margin}])[0] for margin in (-900.0, -1.0, 0.0, 1.0, 900.0)
    ]
    assert chances == sorted(chances)
    assert chances[1:4] == [pytest.approx(0.269, abs=0.001), 0.5, pytest.approx(0.731, abs=0.001)]


@given(st.lists(st.floats(-1e3, 1e3), max_size=8), st.floats(-1e3, 1e3))
def test_answers_and_none_share_one_chance(margins: list[float], bias: float) -> None:
    chances = AnswerScorer({"margin": 1.0}, bias).probabilities([{"margin": m} for m in margins])
    assert all(0.0 <= chance <= 1.0 for chance in chances)
    assert sum(chances) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {"weights": [], "bias": 0},
        {"weights": {"a": "x"}, "bias": 0},
        {"weights": {"a": math.nan}, "bias": 0},
        {"weights": {}, "bias": None},
    ],
)
def test_a_damaged_one_is_refused(damaged: Any) -> None:
    with pytest.raises(LacunaError, match="Get the model again"):
        AnswerScorer.from_json(damaged)
