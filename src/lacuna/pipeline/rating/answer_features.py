"""What speaks for an answer and against it, as numbers for the answer scorer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.shaping.expected_kind import ExpectedKind, expected_kind
from lacuna.pipeline.shaping.fitting import fits
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.text import words
from lacuna.types import Answer, AnswerKind

MOST = 12.0
"""Beyond these log-odds nothing becomes surer."""
FEW = 3
"""The ranks of a search beyond this differ little."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What one reading answers, typed and placed in the documents."""

    answer: Answer
    scored: ScoredAnswer
    reading: Reading

    def same_as(self, other: ReadAnswer) -> bool:
        """Whether both say the same, or one says it with a few words more."""
        own, others = _key(self.answer), _key(other.answer)
        return self.answer.kind is other.answer.kind and (
            own == others or f" {own} " in f" {others} " or f" {others} " in f" {own} "
        )


def features_of(
    components: Components, state: QuestionState, read: Sequence[ReadAnswer]
) -> list[dict[str, float]]:
    """The features of each answer, seen beside the others."""
    asked = set(components.windows.terms(state.query.question))
    expected = expected_kind(state.query.question)
    return [_features(components, each, read, asked, expected) for each in read]


def _features(
    components: Components,
    own: ReadAnswer,
    read: Sequence[ReadAnswer],
    asked: set[str],
    expected: ExpectedKind,
) -> dict[str, float]:
    scored, kind = own.scored, own.answer.kind
    others = [each for each in read if each is not own]
    agreeing = [each for each in others if each.same_as(own)]
    rivals = [each for each in others if not each.same_as(own)]
    margin = _bounded(scored.margin)
    yes_no = kind in (AnswerKind.YES, AnswerKind.NO)
    answer_words = components.windows.terms(own.answer.text)
    text = " ".join(excerpt.document.text for excerpt in own.reading.selection.texts.values())
    there = asked & set(components.windows.terms(f"{_titles(own.reading)} {text}"))
    return {
        "margin": margin,
        "total": _bounded(scored.total),
        "relevance": _bounded(scored.relevance),
        "rank": math.log1p(own.reading.rank),
        "together": float(own.reading.together),
        "agreeing": math.log1p(len(agreeing)),
        "agreeing_margin": max((_bounded(each.scored.margin) for each in agreeing), default=-MOST),
        "lead": margin - max((_bounded(each.scored.margin) for each in rivals), default=-MOST),
        "relevance_lead": _bounded(scored.relevance)
        - max((_bounded(each.scored.relevance) for each in rivals), default=-MOST),
        "support": _support(own),
        "repeated": len(asked.intersection(answer_words)) / max(len(answer_words), 1),
        "fits": fits(own.answer, expected),
        "calculated": float(yes_no and bool(own.answer.expression)),
        "asked_words": len(there) / max(len(asked), 1),
        "number": float(kind is AnswerKind.NUMBER),
        "spans": float(kind is AnswerKind.SPANS),
        "yes_no": float(yes_no),
        "yes_no_margin": margin * yes_no,
        "yes_no_total": _bounded(scored.total) * yes_no,
    }


def _support(own: ReadAnswer) -> float:
    """How much the sentence of the answer supports it; of yes and no, the best sentence."""
    scores = [score for _, score in own.scored.sentences]
    return _bounded(max(scores, default=-MOST))


def _titles(reading: Reading) -> str:
    return " ".join(excerpt.original.title for excerpt in reading.selection.texts.values())


def _key(answer: Answer) -> str:
    return " ".join(words(answer.text.casefold()))


def _bounded(value: float) -> float:
    return max(-MOST, min(MOST, value))
