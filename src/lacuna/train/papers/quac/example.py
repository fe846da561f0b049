"""QuAC's questions as examples: a section with earlier answers marked, and a no-answer token."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.train.labels import occurrences
from lacuna.train.papers.batch import TextExample
from lacuna.train.papers.tokens import Ints, TokenTable, words_within
from lacuna.types import Answer, AnswerKind, Document, FollowUp, Question, YesNo

SECTION, NO_ANSWER = 0, 1
"""The "paragraphs" of a context: its text, and the token that stands for no answer."""
UNKNOWN_ACT = -100
"""A label that losses pass over."""
LAST_TURN = 15
"""Later turns count as this one."""
YES_NO, FOLLOW_UP = tuple(YesNo), tuple(FollowUp)


class Marker(IntEnum):
    """Where a word stands in an earlier answer."""

    OUTSIDE = 0
    FIRST = 1
    INSIDE = 2
    LAST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogExample(TextExample):
    """A question within a dialog."""

    markers: NDArray[np.int8]
    """[words, earlier turns], the last turn first."""
    turn: int
    acts: tuple[int, int]
    """Yes/no and follow-up."""


@dataclass(frozen=True, slots=True)
class SectionWords:
    """The words of a section, the no-answer token last."""

    document: Document
    numbers: Ints
    places: Ints

    @classmethod
    def of(cls, document: Document, table: TokenTable, longest: int) -> SectionWords:
        # Official sections end with that token already.
        tokens = table.tokens(document.text.rstrip().removesuffix(CANNOT_ANSWER))
        numbers = [*tokens.numbers[:longest].tolist(), table.number(CANNOT_ANSWER)]
        spans = [(SECTION, *span) for span in tokens.places[:longest].tolist()]
        places = [*spans, (NO_ANSWER, 0, 0)]
        return cls(document, np.array(numbers, np.int32), np.array(places, np.int32))

    def find(self, answer: Answer) -> tuple[int, int] | None:
        """The first and last word of an answer; None where it is not among the words."""
        last = len(self.numbers) - 1
        if answer.kind is AnswerKind.NONE:
            return last, last
        if answer.kind is not AnswerKind.SPAN:
            return None
        given = [(place.start, place.end) for place in answer.found_at[:1]]
        for start, end in given or occurrences(self.document.text, answer.texts[0]):
            words = words_within(self.places[:last, 1:], start, end)
            # At the last word, an answer may go on behind the limit.
            if words is not None and (words[1] < last - 1 or self.places[words[1], 2] >= end):
                return words
        return None

    def markers(self, question: Question, history: int) -> NDArray[np.int8]:
        """Earlier answers, a column for each turn, the last turn first."""
        marks = np.zeros((len(self.numbers), history), np.int8)
        turns = question.history[::-1][:history]
        for column, turn in enumerate(turns):
            words = self.find(turn.answer) if turn.answer else None
            if words is not None:
                first, last = words
                marks[first : last + 1, column] = Marker.INSIDE
                marks[last, column] = Marker.LAST
                marks[first, column] = Marker.FIRST
        return marks


def dialog_example(
    question: Question, section: SectionWords, table: TokenTable, history: int
) -> DialogExample:
    """A question about a section, with its labels if it has any."""
    gold = question.gold
    wanted = gold.given or (gold.answers[0] if gold.answers else None) if gold else None
    words = section.find(wanted) if wanted else None
    acts = gold.acts if gold else None
    asked = table.tokens(question.text).numbers
    return DialogExample(
        context=section.numbers,
        places=section.places,
        question=asked if len(asked) else np.array([table.number("?")], np.int32),
        starts=np.array([words[0]] if words else [], np.int32),
        ends=np.array([words[1]] if words else [], np.int32),
        group=section.document.text,
        markers=section.markers(question, history),
        turn=min(len(question.history), LAST_TURN),
        acts=(
            YES_NO.index(acts.yes_no) if acts and acts.yes_no else UNKNOWN_ACT,
            FOLLOW_UP.index(acts.follow_up) if acts and acts.follow_up else UNKNOWN_ACT,
        ),
    )
