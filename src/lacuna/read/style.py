"""Which habit of answering is asked for: the datasets differ in what they call a good answer."""

from __future__ import annotations

from enum import StrEnum


class Style(StrEnum):
    """A token at the head of every input tells the model which habit to follow."""

    ASK = "ask"
    """A partial text and what was found for it; any kind of answer, or none (IIRC)."""
    HOP = "hop"
    """Several paragraphs and their supporting sentences; always answerable (HotpotQA)."""
    DIALOG = "dialog"
    """A turn of a dialog over one section; long answers, or none (QuAC)."""
    PASSAGE = "passage"
    """One passage that holds a short answer (SQuAD 1.1)."""
    DOUBT = "doubt"
    """One passage that may not hold the answer (SQuAD 2.0)."""
    CALCULATE = "calculate"
    """Counting and arithmetic over one passage (DROP)."""
    CHOOSE = "choose"
    """One of several choices, with a fact as a hint (OpenBookQA)."""


MAY_ABSTAIN = (Style.ASK, Style.DIALOG, Style.DOUBT)
MAY_QUOTE_THE_QUESTION = (Style.ASK, Style.CALCULATE, Style.HOP)
"""Where the answer may be a part of the question: "Which is larger, A or B?"."""
