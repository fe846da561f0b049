"""ANSWER: this answer, of this kind, or none and what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lacuna.answer.arithmetic import written
from lacuna.answer.dates import PartialDate, completed_years
from lacuna.answer.quantities import find_quantities
from lacuna.answer.typed import amount
from lacuna.ask.case import Case
from lacuna.ask.gap import gap
from lacuna.ask.reading import placed
from lacuna.ask.rooms import Rooms
from lacuna.ask.trace import Candidate, Told
from lacuna.read.weighing import Weighed
from lacuna.types import Answer, AnswerKind, Document, Evidence, Prediction

AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)


def decide(rooms: Rooms, cases: Sequence[Case]) -> list[Told]:
    """The last word on each question."""
    told: list[Told] = []
    for case in cases:
        prediction = decided(rooms, case)
        answer = prediction.answer
        assert answer is not None
        if answer.kind is AnswerKind.NONE:
            prediction = replace(prediction, gaps=(gap(case),), evidence=())
        case.prediction = prediction
        sure = prediction.confidence or 0.0
        said = "Nothing answers it." if prediction.gaps else f"The answer: {answer.text}."
        told.append((said, (Candidate("", sure, True, answer.text),)))
    return told


def decided(rooms: Rooms, case: Case) -> Prediction:
    """What the best reading so far amounts to."""
    return weighed(rooms, case).decided(rooms.reader.tuning(rooms.style, asking=True))


def weighed(rooms: Rooms, case: Case) -> Weighed:
    """The best reading so far, with its answer in terms of the documents."""
    assert case.read is not None
    if case.read.weighed.prediction.answer is None:
        return case.read.weighed
    found = placed(case.read, rooms.style)
    assert found.answer is not None
    documents = {text.original.title: text.original for text in case.read.texts.values()}
    answer = typed(found.answer, case.asked.question, documents)
    return replace(case.read.weighed, prediction=replace(found, answer=answer))


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
