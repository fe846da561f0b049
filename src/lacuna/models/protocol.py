"""What a reader is: anything that answers questions from the texts that come with them.

A reader of one's own needs ``read`` alone. What else a reader can do (rank passages, score links)
the pipeline uses where it is there, and goes by the words of the texts where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from lacuna.answer_mode import AnswerMode
from lacuna.types import Prediction, Question

Progress = Callable[[int], None]
"""Told how many more questions are done."""


class Reader(Protocol):
    """Answers questions from the texts that they come with; several threads may share one."""

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, of the kind "none" where its texts do not answer it."""
        ...


@runtime_checkable
class ShortensQuestions(Protocol):
    """A reader that reads no more than so much of a question."""

    def readable(self, question: str) -> str:
        """The question, or the part of it that is read where it is too long."""
        ...


def readable(reader: Reader, question: str) -> str:
    """What a reader reads of a question: all of it, unless it says otherwise."""
    return reader.readable(question) if isinstance(reader, ShortensQuestions) else question
