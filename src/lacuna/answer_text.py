"""Answers as the bare texts that prediction files are made of, and back."""

from __future__ import annotations

from lacuna.types import Answer, AnswerKind

YES, NO = "yes", "no"
CANNOT_ANSWER = "CANNOTANSWER"
"""QuAC's way to say that there is no answer; every one of its texts ends with it."""


def answer_from_text(text: str, none: str, *, yes_no: bool = True) -> Answer:
    """Read an answer that is written as one text; ``none`` is the dataset's word for no answer."""
    if text == none:
        return Answer.none()
    if yes_no and text in (YES, NO):
        return Answer.yes() if text == YES else Answer.no()
    return Answer.span(text)


def text_from_answer(answer: Answer, none: str) -> str:
    """Write an answer as one text.

    >>> text_from_answer(Answer.none(), "noanswer")
    'noanswer'
    """
    if answer.kind is AnswerKind.SPAN:
        return answer.texts[0]
    if answer.kind is AnswerKind.NONE:
        return none
    if answer.kind in (AnswerKind.YES, AnswerKind.NO):
        return str(answer.kind)
    if answer.kind is AnswerKind.SPANS:
        return " and ".join(answer.texts)
    return answer.texts[0] if answer.texts else answer.label


def texts_from_answer(answer: Answer, none: str) -> tuple[str, ...]:
    """Write an answer as the list of texts that DROP's scorer compares."""
    if answer.kind is AnswerKind.SPANS:
        return answer.texts
    return (text_from_answer(answer, none),)
