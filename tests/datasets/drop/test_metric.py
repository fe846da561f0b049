from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import answers, asked

from lacuna import (
    Answer,
    Prediction,
)
from lacuna.datasets import drop
from lacuna.datasets.drop import DropMetric


@pytest.mark.parametrize(
    ("predicted", "wanted", "exact", "f1"),
    [
        (("3",), ("3.0",), 1, 1),
        (("3 boats",), ("4 boats",), 0, 0),
        (("three boats",), ("3 boats",), 0, 0),
        (("boats",), ("old boats",), 0, 0.67),
        (("b", "c"), ("c", "b"), 1, 1),
        (("b", "b"), ("b",), 0, 0.5),
        (("b", "b"), ("b", "c"), 0, 0.5),
        (("half-built",), ("half built",), 1, 1),
        (("nan",), ("NaN",), 1, 1),
        ((), ("b",), 0, 0),
        (("a",), ("the",), 1, 1),
    ],
)
def test_drop(predicted: tuple[str, ...], wanted: tuple[str, ...], exact: float, f1: float) -> None:
    assert drop.compare(predicted, wanted) == (exact, f1)


spans = st.lists(answers, min_size=1, max_size=4).map(tuple)


@given(spans, spans)
def test_drop_scores_stay_between_nothing_and_all(
    one: tuple[str, ...], two: tuple[str, ...]
) -> None:
    exact, f1 = drop.compare(one, two)
    assert exact in (0, 1)
    assert 0 <= f1 <= 1
    assert round(f1, 2) == f1
    assert drop.compare(one, one) == (1, 1)
    assert drop.compare(tuple(reversed(one)), two) == pytest.approx((exact, f1))


def test_the_best_alternative_counts() -> None:
    question = asked(Answer.span("ferry"), Answer.spans(("old", "ferry")))
    prediction = Prediction(Answer.spans(("ferry", "old")))
    assert DropMetric().judge(question, prediction) == (1, 1)
