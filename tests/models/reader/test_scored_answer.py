"""When an answer is given, and how sure it sounds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.models.calibration import Calibration, NoAnswerThresholds, Tuning
from lacuna.models.reader.reader import ScoredAnswer, supporting
from lacuna.types import Answer, AnswerKind, Evidence, Prediction

PLACE = Evidence("t", 0, 4)
GIVEN = Prediction(Answer.span("1931", PLACE), evidence=(PLACE,))
margins = st.floats(-100, 100, allow_nan=False)


@given(margins, margins)
def test_an_answer_is_given_where_its_margin_exceeds_the_doubt(margin: float, doubt: float) -> None:
    made = ScoredAnswer(GIVEN, -0.5, margin).decide(Tuning(NoAnswerThresholds.same(doubt)))
    assert made.answer is not None
    assert (made.answer.kind is AnswerKind.SPAN) == (margin > doubt)
    assert made.confidence is not None
    assert 0 <= made.confidence <= 1


def test_none_has_no_evidence() -> None:
    made = ScoredAnswer(GIVEN, 0.0, -1.0).decide(Tuning())
    assert made.answer == Answer.none()
    assert made.evidence == ()


def test_nothing_to_read_is_surely_none() -> None:
    made = ScoredAnswer(Prediction(), 0.0, -math.inf).decide(Tuning())
    assert made.answer == Answer.none()
    assert made.confidence == pytest.approx(1.0)


def test_confidence_is_calibrated() -> None:
    tuning = Tuning(calibration=Calibration((0.0, 1.0), (0.1, 0.6)))
    made = ScoredAnswer(GIVEN, 0.0, math.inf).decide(tuning)
    assert made.confidence == pytest.approx(0.6)


def test_at_least_two_sentences_support() -> None:
    assert supporting([]) == ()
