"""ANSWER: this answer, of this kind, or none and what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.gaps import remaining_gap
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Candidate
from lacuna.quantities.amount import amount
from lacuna.quantities.arithmetic import written
from lacuna.quantities.dates import PartialDate, completed_years
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence

AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)


def answer(components: Components, states: Sequence[QuestionState]) -> None:
    """The last word on each question."""
    for state in states:
        prediction = best_answer(components, state).decide(components.tuning)
        answer = prediction.answer
        assert answer is not None
        message = f"The answer: {answer.text}."
        if answer.kind is AnswerKind.NONE:
            gaps = (remaining_gap(components.store, state), *prediction.gaps)
            prediction = replace(prediction, gaps=gaps, evidence=())
            message = "Nothing answers it."
        state.prediction = prediction
        score = prediction.confidence or 0.0
        state.record(message, (Candidate("", score, True, answer.text),))


def best_answer(components: Components, state: QuestionState) -> ScoredAnswer:
    """The best reading so far, with its answer typed and placed in the documents."""
    reading = state.reading
    assert reading is not None
    if reading.scored.prediction.answer is None:
        return reading.scored
    prediction = reading.in_documents(components.mode)
    assert prediction.answer is not None
    answer = typed(prediction.answer, state.query.question, reading.documents)
    return replace(reading.scored, prediction=replace(prediction, answer=answer))


def typed(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """A quoted amount is a number with its unit, and an age counts the birthdays."""
    if answer.kind is AnswerKind.SPAN and (quoted := amount(answer.texts[0], question)):
        return Answer.number(quoted.value, quoted.text, *answer.found_at, unit=quoted.unit)
    if answer.unit == "years" and len(answer.found_at) == 2 and AGE.search(question):
        dates = [_date(place, documents) for place in answer.found_at]
        if dates[0] and dates[1] and (years := completed_years(dates[0], dates[1])) is not None:
            return replace(answer, value=float(years), texts=(written(float(years)),))
    return answer


def _date(place: Evidence, documents: Mapping[str, Document]) -> PartialDate | None:
    text = documents[place.document].text[place.start : place.end]
    return next((quantity.date for quantity in find_quantities(text)), None)
