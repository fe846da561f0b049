"""A section in twelve chunks of equal size, by which QuAC's paper says where an answer stands."""

from __future__ import annotations

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.types import Answer, AnswerKind, Span

CHUNKS = 12


def section_size(text: str) -> int:
    """How many characters a section has without the mark at its end that stands for no answer.

    >>> section_size("It sails. CANNOTANSWER")
    9
    """
    return len(text.removesuffix(CANNOT_ANSWER).rstrip())


def chunk_span(number: int, size: int) -> Span:
    """The characters of one chunk of a section."""
    return Span(size * number // CHUNKS, size * (number + 1) // CHUNKS)


def chunk_of(answer: Answer | None, text: str) -> int | None:
    """The chunk that the middle of an answer stands in; None where it stands nowhere.

    >>> from lacuna.types import Evidence
    >>> chunk_of(Answer.span("b", Evidence("", 10, 11)), "x" * 12)
    10
    """
    place = _place(answer)
    size = section_size(text)
    if place is None or not size:
        return None
    middle = (place.start + place.end) // 2
    return min(CHUNKS - 1, CHUNKS * middle // size)


def touched_chunks(answer: Answer | None, text: str) -> range:
    """The chunks that an answer has a part in; none where it stands nowhere."""
    place = _place(answer)
    size = section_size(text)
    if place is None or not size:
        return range(0)
    last = max(place.start, place.end - 1)
    first, last = (min(CHUNKS - 1, CHUNKS * at // size) for at in (place.start, last))
    return range(first, last + 1)


def _place(answer: Answer | None) -> Span | None:
    if answer is None or answer.kind is AnswerKind.NONE or not answer.found_at:
        return None
    return Span(answer.found_at[0].start, answer.found_at[0].end)
