"""A question that was made from a text, and whether it was answered from there."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.text import content_stems
from lacuna.types import Evidence, Span


@dataclass(frozen=True, slots=True)
class CandidateQuestion:
    """A question, and the part of a document that is to answer it."""

    question: str
    document: str
    place: Span
    says: str
    """What stands there, on one line: other documents may say it in the same words."""

    def is_in(self, other: Evidence | Quote) -> bool:
        """Whether something stands where the question was made from."""
        here = other.start < self.place.end and other.end > self.place.start
        return other.document == self.document and here


def is_answered(candidate: CandidateQuestion, result: Result) -> bool:
    """Whether a result gives a sure answer, taken from where the question was made from.

    An answer that only says again what was asked is none.
    """
    answer = result.answer
    says = set(content_stems(answer.text))
    again = bool(says) and says <= set(content_stems(candidate.question))
    if result.degree is not Degree.ANSWER or again:
        return False
    if any(map(candidate.is_in, answer.found_at or result.quotes)):
        return True
    return any(" ".join(quote.text.split()) == candidate.says for quote in result.quotes)
