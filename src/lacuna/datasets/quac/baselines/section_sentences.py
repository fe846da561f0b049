"""Answers that are whole sentences of a section: one at random, and the best there is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from lacuna.corpus.pages.sentences import sentence_spans
from lacuna.datasets.baseline import AnswersQuestion
from lacuna.datasets.quac.chunks import section_length
from lacuna.datasets.quac.metric import is_unanswerable
from lacuna.metrics.normalise import normalise, overlap
from lacuna.types import Answer, AnswerKind, Document, Evidence, Prediction, Question, Role, Span


def random_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """Any sentence or no answer, each as likely; the same for a question every time."""

    def answer(question: Question) -> Prediction:
        section = _section(question)
        choices = [*sentences_of_section(section.text), None]
        # By the id, so that neither the order nor other questions of the file matter.
        span = Random(question.id).choice(choices)
        return Prediction(Answer.none()) if span is None else span_prediction(section, span)

    return answer


def gold_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """The sentence with the best F1 against any reference, or none where that is right."""

    def answer(question: Question) -> Prediction:
        assert question.gold is not None
        section = _section(question)
        spans = sentences_of_section(section.text)
        if is_unanswerable(question) or not spans:
            return Prediction(Answer.none())
        references = [
            normalise(reference.texts[0])
            for reference in question.gold.answers
            if reference.kind is not AnswerKind.NONE
        ]

        def nearness(span: Span) -> float:
            text = normalise(section.text[span.start : span.end])
            return max(overlap(text, reference).f1 for reference in references)

        return span_prediction(section, max(spans, key=nearness))

    return answer


@lru_cache(maxsize=16)
def sentences_of_section(text: str) -> tuple[Span, ...]:
    """The sentences of a section, without the mark at its end."""
    return sentence_spans(text, [Span(0, section_length(text))])


def span_prediction(section: Document, span: Span) -> Prediction:
    """A stretch of the section as the answer."""
    place = Evidence(section.title, span.start, span.end, Role.ANSWER)
    return Prediction(Answer.span(section.text[span.start : span.end], place), (place,))


def _section(question: Question) -> Document:
    assert question.context is not None  # QuAC's format has a section for each question
    return question.context
