"""What a reader is: anything that answers questions from the texts that come with them.

A reader of one's own needs ``read`` alone. What else a reader can do (rank passages, score links)
the pipeline uses where it is there, and goes by the words of the texts where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

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
