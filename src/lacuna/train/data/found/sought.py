"""What a window must hold to answer a question, and what may answer it just as well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lacuna.retrieve.around import SIZE
from lacuna.train.labels import occurrences
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Span

SPANS = (AnswerKind.SPAN, AnswerKind.SPANS)
DECIDES = 0.7
"""The share of a passage that a window must hold where it is not known which sentence decides."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The gold of a question, its places those of a document of the pool.

    An answer is held by a window that has all places where it was ``found_at``. ``evidence`` is
    None where it is not known which sentences support the answer.
    """

    document: Document
    passage: Span
    answers: tuple[Answer, ...]
    evidence: tuple[Span, ...] | None

    @property
    def is_answerable(self) -> bool:
        """Whether its passage answers it."""
        return self.answers[0].kind is not AnswerKind.NONE

    def held(self, document: Document, window: Span) -> tuple[Answer, ...]:
        """The answers that a window gives."""
        if document is not self.document or not self.is_answerable:
            return ()
        return tuple(
            answer
            for answer in self.answers
            if all(window.start <= at.start and at.end <= window.end for at in answer.found_at)
        )

    def may_answer(self, document: Document, window: Span) -> bool:
        """Whether a window that does not hold the gold may still answer: nobody has looked.

        The words of an answer may stand elsewhere as well; what decides a yes, or what a passage
        lacks, may stand in another part of the same article. Where it is known which sentences
        decide, only what touches them may.
        """
        if self.answers[0].kind not in SPANS:
            near = self.evidence if self.is_answerable and self.evidence else (_whole(document),)
            return document is self.document and any(
                at.start < window.end and window.start < at.end for at in near
            )
        text = document.text[window.start : window.end]
        return any(
            next(occurrences(text, each), None) for answer in self.answers for each in answer.texts
        )


def sought(question: Question, document: Document, start: int) -> Sought:
    """The gold of a question whose passage begins at ``start`` of a document of the pool."""
    assert question.context
    assert question.gold
    context, gold = question.context, question.gold
    passage = Span(start, start + len(context.text))
    evidence = tuple(
        Span(start + span.start, start + span.end) for span in _evidence(context, gold)
    )
    answers = []
    for answer in gold.answers:
        if answer.kind in SPANS:
            places: Iterable[Span] = (
                Span(start + at.start, start + at.end) for at in answer.found_at
            )
        elif answer.kind is AnswerKind.NONE:
            places = ()
        else:
            places = evidence or (_middle(passage),)
        found_at = tuple(Evidence(document.title, *place) for place in places)
        answers.append(replace(answer, found_at=found_at))
    return Sought(document, passage, tuple(answers), evidence or None)


def _evidence(context: Document, gold: Gold) -> Iterable[Span]:
    """The sentences that are known to support it, or else where its answers stand."""
    if gold.supporting_facts is not None:
        return [context.sentences[number] for _, number in gold.supporting_facts]
    return [Span(at.start, at.end) for answer in gold.answers for at in answer.found_at]


def _whole(document: Document) -> Span:
    return Span(0, len(document.text))


def _middle(passage: Span) -> Span:
    half = int(DECIDES * min(passage.end - passage.start, SIZE)) // 2
    middle = (passage.start + passage.end) // 2
    return Span(middle - half, middle + half)
