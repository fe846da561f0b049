"""The labels that QuAC's figure 7 breaks scores down by, and those of its dialog acts."""

from __future__ import annotations

from lacuna.datasets.quac.chunks import chunk_of
from lacuna.datasets.quac.quac_format import raw_acts
from lacuna.types import AnswerKind, FollowUp, Question

LENGTHS = (5, 10, 15, 20, 25)
"""The longest answers of each bin, in words; longer ones have a bin of their own."""
AFTER = {
    FollowUp.YES: "follow up",
    FollowUp.MAYBE: "maybe follow up",
    FollowUp.NO: "don't follow up",
}
BREAKDOWN_FIELDS = {
    "distance": "orig_answer",
    "answer length": "orig_answer",
    "previous act": "followup",
}


def dialog_labels(question: Question) -> dict[str, str]:
    """Turn, distance from the previous answer, length of the answer, and dialog acts."""
    labels = {"turn": str(len(question.history) + 1)}
    gold, before = question.gold, question.history[-1] if question.history else None
    given = gold.given if gold else None
    if given is not None and question.context is not None and before is not None:
        here = chunk_of(given, question.context.text)
        there = chunk_of(before.answer, question.context.text)
        if here is not None and there is not None:
            labels["distance"] = str(abs(here - there))
    if given is not None and given.kind is not AnswerKind.NONE:
        labels["answer length"] = length_bin(len(given.texts[0].split()))
    if before is not None and before.acts is not None and before.acts.follow_up is not None:
        labels["previous act"] = AFTER[before.acts.follow_up]
    return {**labels, **(raw_acts(gold.acts) if gold and gold.acts else {})}


def length_bin(words: int) -> str:
    """The bin of an answer's length.

    >>> length_bin(5), length_bin(6), length_bin(40)
    ('1–5', '6–10', '26+')
    """
    low = 1
    for high in LENGTHS:
        if words <= high:
            return f"{low}–{high}"
        low = high + 1
    return f"{low}+"
