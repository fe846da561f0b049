"""What people are given of each dataset's questions, what they may answer, and how many did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lacuna.collect.tasks.knobs import Bounded, Knobs, OneOf, Text
from lacuna.types import AnswerKind

SPAN, NUMBER, YES, NO = AnswerKind.SPAN, AnswerKind.NUMBER, AnswerKind.YES, AnswerKind.NO
NONE, CHOICE = AnswerKind.NONE, AnswerKind.CHOICE


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """One dataset's; ``questions`` and ``people`` are its paper's where that says so."""

    kinds: tuple[AnswerKind, ...]
    settings: tuple[str, ...]
    """What can be read with a question; the first unless another is set."""
    questions: int = 200
    people: int = 1
    several_spans: bool = False
    """Whether an answer may have several parts."""
    supporting: bool = False
    """Whether the sentences that support an answer are wanted. The file's own answer is then one
    more person's, and held against the new ones; else these are held against the file."""


SHEETS: Mapping[str, AnswerSheet] = {
    "hotpotqa": AnswerSheet((SPAN, YES, NO), ("distractor", "gold-only"), 1000, 3, supporting=True),
    "iirc": AnswerSheet(
        (SPAN, NUMBER, YES, NO, NONE),
        ("full", "oracle-links", "oracle-context"),
        several_spans=True,
    ),
    "openbookqa": AnswerSheet((CHOICE,), ("core-fact", "no-fact")),
    "squad": AnswerSheet((SPAN, NONE), ("may-abstain", "always-answer")),
    "drop": AnswerSheet((SPAN, NUMBER), ("passage",), several_spans=True),
}
"""QuAC's people answer within a dialog: that is a task of its own."""

OPTIONS: Knobs = {
    "dataset": OneOf(tuple(SHEETS)),
    "questions_file": Text(),
    "setting": Text(),
    "questions": Bounded(0, 0, 10**6),
    "people": Bounded(0, 0, 9),
    "seed": Bounded(13, 0, 2**31),
}
"""An empty ``setting`` is the sheet's first; 0 questions or people are the sheet's."""
