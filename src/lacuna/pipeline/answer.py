"""ANSWER: this answer, of this kind, or none and what is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.gaps import remaining_gap
from lacuna.pipeline.rating.rated_answers import RatedAnswer, chooses, rated_answers
from lacuna.pipeline.shaping.shaped_answer import shaped_reading
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Candidate
from lacuna.types import Answer, AnswerKind, Prediction


def answer(components: Components, states: Sequence[QuestionState]) -> None:
    """The last word on each question."""
    for state in states:
        if chooses(components, state):
            prediction = _likeliest(components, state)
        else:
            prediction = best_answer(components, state).decide(components.tuning)
        given = prediction.answer
        assert given is not None
        message = f"The answer: {given.text}."
        if given.kind is AnswerKind.NONE:
            gaps = (remaining_gap(components.store, state), *prediction.gaps)
            prediction = replace(prediction, gaps=gaps, evidence=())
            message = "Nothing answers it."
        state.prediction = prediction
        state.record(message, _candidates(state, prediction))


def best_answer(components: Components, state: QuestionState) -> ScoredAnswer:
    """The best reading so far, with its answer in shape and placed in the documents."""
    reading = state.reading
    assert reading is not None
    if reading.scored.prediction.answer is None:
        return reading.scored
    return shaped_reading(reading, state.query.question, components.mode)


def _likeliest(components: Components, state: QuestionState) -> Prediction:
    """The answer that is likeliest to be right, if that is likely enough."""
    rated = rated_answers(components, state)
    best = next(iter(rated), None)
    state.rated = tuple(rated)
    if best is None or best.probability < components.config.probable_from:
        left = 1 - math.fsum(answer.probability for answer in rated)
        return Prediction(Answer.none(), confidence=max(left, 0.0))
    state.reading = best.reading
    return replace(best.prediction, confidence=best.probability)


def _candidates(state: QuestionState, prediction: Prediction) -> list[Candidate]:
    if not state.rated:
        assert prediction.answer is not None
        return [Candidate("", prediction.confidence or 0.0, True, prediction.answer.text)]
    return [_candidate(rated, rated.answer is prediction.answer) for rated in state.rated]


def _candidate(rated: RatedAnswer, chosen: bool) -> Candidate:
    text, places = rated.answer.text, rated.answer.found_at
    if not places:
        return Candidate("", rated.probability, chosen, text)
    first = places[0]
    return Candidate(first.document, rated.probability, chosen, text, first.start, first.end)
