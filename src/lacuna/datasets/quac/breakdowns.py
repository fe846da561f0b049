"""The labels that QuAC's figure 7 breaks scores down by, and those of its dialog acts."""

from __future__ import annotations

from lacuna.datasets.quac.chunks import chunk_at, place_of, section_length
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
    if (distance := _distance(question)) is not None:
        labels["distance"] = str(distance)
    if given is not None and given.kind is not AnswerKind.NONE:
        labels["answer length"] = length_bin(len(given.texts[0].split()))
    if before is not None and before.acts is not None and before.acts.follow_up is not None:
        labels["previous act"] = AFTER[before.acts.follow_up]
    return {**labels, **(raw_acts(gold.acts) if gold and gold.acts else {})}


def _distance(question: Question) -> int | None:
    """How many chunks lie between the beginnings of an answer and of the one before it."""
    if question.gold is None or question.context is None or not question.history:
        return None
    section = section_length(question.context.text)
    here, there = place_of(question.gold.given), place_of(question.history[-1].answer)
    if here is None or there is None or not section:
        return None
    return abs(chunk_at(here.start, section) - chunk_at(there.start, section))


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
