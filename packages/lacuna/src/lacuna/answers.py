"""The modes in which a reader answers, and answers as the bare texts of prediction files."""

from __future__ import annotations

from enum import StrEnum

from lacuna.types import Answer, AnswerKind


class AnswerMode(StrEnum):
    """A token at the head of every input tells the model which mode is wanted."""

    ASK = "ask"
    """A partial text and what was found for it; any kind of answer, or none (IIRC)."""
    HOP = "hop"
    """Several paragraphs and their supporting sentences; always answerable (HotpotQA)."""
    DIALOG = "dialog"
    """A turn of a dialog over one section; long answers, or none (QuAC)."""
    EXTRACT = "extract"
    """One passage that holds a short answer (SQuAD 1.1)."""
    ABSTAIN = "abstain"
    """One passage that may not hold the answer (SQuAD 2.0)."""
    CALCULATE = "calculate"
    """Counting and arithmetic over one passage (DROP)."""
    CHOOSE = "choose"
    """One of several choices, with a fact as a hint (OpenBookQA)."""
    FOUND = "found"
    """Passages that a search found, mostly one alone; any kind of answer, or none."""


MAY_ABSTAIN = (AnswerMode.ASK, AnswerMode.FOUND, AnswerMode.DIALOG, AnswerMode.ABSTAIN)
MAY_CALCULATE = (AnswerMode.ASK, AnswerMode.FOUND, AnswerMode.CALCULATE)
MAY_QUOTE_THE_QUESTION = (*MAY_CALCULATE, AnswerMode.HOP)
"""Modes in which the answer may be a part of the question: "Which is larger, A or B?"."""


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
