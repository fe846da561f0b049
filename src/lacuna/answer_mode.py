"""How a reader should answer: the datasets differ in what they call a good answer."""

from __future__ import annotations

from enum import StrEnum


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


MAY_ABSTAIN = (AnswerMode.ASK, AnswerMode.DIALOG, AnswerMode.ABSTAIN)
MAY_QUOTE_THE_QUESTION = (AnswerMode.ASK, AnswerMode.CALCULATE, AnswerMode.HOP)
"""Where the answer may be a part of the question: "Which is larger, A or B?"."""
