"""ANSWER: this answer, of this kind, or none and what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.gaps import gap
from lacuna.pipeline.read import placed
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Candidate, Told
from lacuna.quantities.amount import amount
from lacuna.quantities.arithmetic import written
from lacuna.quantities.dates import PartialDate, completed_years
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence, Prediction

AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)


def decide(components: Components, states: Sequence[QuestionState]) -> list[Told]:
    """The last word on each question."""
    told: list[Told] = []
    for state in states:
        prediction = decided(components, state)
        answer = prediction.answer
        assert answer is not None
        if answer.kind is AnswerKind.NONE:
            prediction = replace(prediction, gaps=(gap(state),), evidence=())
        state.prediction = prediction
        sure = prediction.confidence or 0.0
        said = "Nothing answers it." if prediction.gaps else f"The answer: {answer.text}."
        told.append((said, (Candidate("", sure, True, answer.text),)))
    return told


def decided(components: Components, state: QuestionState) -> Prediction:
    """What the best reading so far amounts to."""
    return weighed(components, state).decide(
        components.reader.tuning(components.mode, over_corpus=True)
    )


def weighed(components: Components, state: QuestionState) -> ScoredAnswer:
    """The best reading so far, with its answer in terms of the documents."""
    assert state.read is not None
    if state.read.weighed.prediction.answer is None:
        return state.read.weighed
    found = placed(state.read, components.mode)
    assert found.answer is not None
    documents = {text.original.title: text.original for text in state.read.texts.values()}
    answer = typed(found.answer, state.asked.question, documents)
    return replace(state.read.weighed, prediction=replace(found, answer=answer))


def typed(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """A quoted amount is a number with its unit, and an age counts the birthdays."""
    if answer.kind is AnswerKind.SPAN and (found := amount(answer.texts[0], question)):
        return Answer.number(found.value, found.text, *answer.found_at, unit=found.unit)
    if answer.unit == "years" and len(answer.found_at) == 2 and AGE.search(question):
        dates = [_date(place, documents) for place in answer.found_at]
        if dates[0] and dates[1] and (years := completed_years(dates[0], dates[1])) is not None:
            return replace(answer, value=float(years), texts=(written(float(years)),))
    return answer


def _date(place: Evidence, documents: Mapping[str, Document]) -> PartialDate | None:
    text = documents[place.document].text[place.start : place.end]
    return next((one.date for one in find_quantities(text)), None)
