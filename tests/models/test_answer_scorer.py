"""The weights that rate answers, as a model's configuration keeps them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.models.answer_scorer import AnswerScorer


def test_it_survives_its_configuration() -> None:
    scorer = AnswerScorer({"margin": 0.25, "rank": -1.0}, 0.5)
    assert AnswerScorer.from_json(scorer.as_json()) == scorer


def test_more_of_what_speaks_for_an_answer_makes_it_likelier() -> None:
    scorer = AnswerScorer({"margin": 1.0}, 0.0)
    chances = [scorer.probability({"margin": margin}) for margin in (-500.0, -1.0, 0.0, 1.0, 500.0)]
    assert chances == sorted(set(chances))
    assert chances[0] > 0.0
    assert chances[-1] <= 1.0


@pytest.mark.parametrize(
    "damaged",
    [{}, {"weights": [], "bias": 0}, {"weights": {"a": "x"}, "bias": 0},
     {"weights": {"a": math.nan}, "bias": 0}, {"weights": {}, "bias": None}],
)  # fmt: skip
def test_a_damaged_one_is_refused(damaged: Any) -> None:
    with pytest.raises(LacunaError, match="Get the model again"):
        AnswerScorer.from_json(damaged)
