"""What can be asked with choices: the pipeline, or anything that does the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from lacuna.models.gapqa.choice_gaps import GapResult
from lacuna.types import Question

Progress = Callable[[int], None]
"""Told how many more questions are done."""


class FillsGaps(Protocol):
    """Answers questions with choices and a core fact; several threads may ask at the same time.

    A question needs a fact and at least two choices; what is wrong raises a LacunaError.
    """

    def ask(self, question: Question) -> GapResult:
        """One answer."""
        ...

    def ask_many(
        self, questions: Sequence[Question], *, progress: Progress | None = None
    ) -> list[GapResult]:
        """An answer each."""
        ...
