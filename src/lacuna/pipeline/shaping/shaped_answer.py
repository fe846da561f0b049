"""An answer in the shape that was asked for: an amount, an age, a whole list, a definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lacuna.answer_mode import AnswerMode
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.shaping.answer_type import typed
from lacuna.pipeline.shaping.definitions import defining_clause
from lacuna.pipeline.shaping.whole_list import whole_list
from lacuna.pipeline.state import Reading
from lacuna.types import Answer, Document


def shaped(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """The answer as the question wants it; ``documents`` are those that it was found in."""
    if answer.found_at:
        document = documents[answer.found_at[0].document]
        better = whole_list(question, answer, document) or defining_clause(
            question, answer, document
        )
        if better is not None:
            return better
    return typed(answer, question, documents)


def shaped_reading(reading: Reading, question: str, mode: AnswerMode) -> ScoredAnswer:
    """What a reading answers, in shape and placed in the documents; there must be an answer."""
    prediction = reading.in_documents(mode)
    assert prediction.answer is not None
    answer = shaped(prediction.answer, question, reading.documents)
    return replace(reading.scored, prediction=replace(prediction, answer=answer))
