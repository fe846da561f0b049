"""A section in twelve chunks of equal size, by which QuAC's paper says where an answer stands."""

from __future__ import annotations

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.types import Answer, AnswerKind, Evidence, Question, Span

CHUNKS = 12


def section_length(text: str) -> int:
    """The characters of a section without the word that stands for no answer at its end.

    >>> section_length("It sails. CANNOTANSWER")
    9
    """
    return len(text.removesuffix(CANNOT_ANSWER).rstrip())


def chunk_at(position: int, section: int) -> int:
    """The chunk that a character of a section of that length is in.

    >>> chunk_at(60, 120)
    6
    """
    return min(CHUNKS - 1, CHUNKS * position // section)


def chunk_span(number: int, section: int) -> Span:
    """The characters of one chunk."""
    return Span(section * number // CHUNKS, section * (number + 1) // CHUNKS)


def touched_chunks(answer: Answer | None, section: int) -> range:
    """The chunks that an answer has a part in; none where it stands nowhere."""
    place = place_of(answer)
    if place is None or not section:
        return range(0)
    last = max(place.start, place.end - 1)
    return range(chunk_at(place.start, section), chunk_at(last, section) + 1)


def place_of(answer: Answer | None) -> Evidence | None:
    """Where an answer stands; None for no answer, or where that is not known."""
    if answer is None or answer.kind is AnswerKind.NONE or not answer.found_at:
        return None
    return answer.found_at[0]


def given_answer(question: Question) -> Answer | None:
    """The answer that the dialog went on with; the first reference where the file has none."""
    if question.gold is None:
        return None
    return question.gold.given or next(iter(question.gold.answers), None)
