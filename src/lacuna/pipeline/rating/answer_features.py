"""What speaks for an answer and against it, as numbers for the answer scorer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lacuna.models.reader.question_form import asks_for_a_difference
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.shaping.expected_kind import ExpectedKind, expected_kind
from lacuna.pipeline.shaping.fitting import fits
from lacuna.pipeline.shaping.two_lookups import two_lookups
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.types import Answer, AnswerKind, Evidence, SupportingFact

MOST = 12.0
"""Beyond these log-odds nothing becomes surer."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What one reading answers, typed and placed in the documents."""

    answer: Answer
    scored: ScoredAnswer
    reading: Reading


class _Form(NamedTuple):
    """What the form of a question says of its answer: its kind, and that it must be calculated."""

    expected: ExpectedKind
    calculates: bool


def features_of(
    components: Components, state: QuestionState, read: Sequence[ReadAnswer]
) -> list[dict[str, float]]:
    """The features of each answer."""
    asked = set(components.windows.terms(state.query.question))
    form = _Form(
        expected_kind(state.query.question),
        asks_for_a_difference(state.query.question) or bool(two_lookups(state.query.question)),
    )
    return [_features(components, each, asked, form) for each in read]


def _features(
    components: Components, own: ReadAnswer, asked: set[str], form: _Form
) -> dict[str, float]:
    scored, kind = own.scored, own.answer.kind
    margin = _bounded(scored.margin)
    yes_no = kind in (AnswerKind.YES, AnswerKind.NO)
    answer_words = components.windows.terms(own.answer.text)
    return {
        "margin": margin,
        "total": _bounded(scored.total),
        "relevance": _bounded(scored.relevance),
        "rank": math.log1p(own.reading.rank),
        "support": _support(own),
        "repeated": len(asked.intersection(answer_words)) / max(len(answer_words), 1),
        "fits": fits(own.answer, form.expected),
        "calculated": float(yes_no and bool(own.answer.expression)),
        "only_quoted": float(form.calculates and not own.answer.expression),
        "yes": float(kind is AnswerKind.YES),
        "number": float(kind is AnswerKind.NUMBER),
        "spans": float(kind is AnswerKind.SPANS),
        "yes_no": float(yes_no),
        "yes_no_total": _bounded(scored.total) * yes_no,
    }


def _support(own: ReadAnswer) -> float:
    """How much the sentence of the answer supports it; of yes and no, the best sentence."""
    places = own.answer.found_at
    scores = [
        score
        for fact, score in own.scored.sentences
        if not places or _holds(own.reading, fact, places[0])
    ]
    return _bounded(max(scores, default=-MOST))


def _holds(reading: Reading, fact: SupportingFact, place: Evidence) -> bool:
    original = reading.original_fact(fact)
    if original.title != place.document:
        return False
    sentence = reading.documents[original.title].sentences[original.sentence]
    return sentence.start <= place.start < sentence.end


def _bounded(value: float) -> float:
    return max(-MOST, min(MOST, value))
